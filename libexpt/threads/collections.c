/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Garbage collections, as the log has them. A start during a collection is ignored; an
 * end that no start precedes belongs to the collection before it, or, if there is none,
 * to one that ran when the recording began.
 */
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/stack_sums.h"

struct collection {
	uint64_t start_ns, end_ns;
	size_t number;
};

struct collection_list {
	struct collection *items; /* by start, when sorted */
	size_t count, capacity;
};

struct sum {
	struct figures figures;
	bool has_events;
};

struct expt_collections {
	struct expt_view *view;
	struct {
		struct sum *items; /* by number */
		size_t count, capacity;
	} sums;
	struct arena figures;
};

void expt_collections_free(struct expt_collections *collections)
{
	if (!collections)
		return;
	array_release(&collections->sums);
	arena_release(&collections->figures);
	free(collections);
}

/* ---- the log ---- */

static struct collection *add_collection(struct collection_list *list, uint64_t start_ns)
{
	struct collection *new = array_add(list);

	if (new)
		*new = (struct collection){ start_ns, UINT64_MAX, list->count };
	return new;
}

static bool take_event(struct collection_list *list, const struct expt_event *event,
		       bool *is_open)
{
	struct collection *last = list->count ? &list->items[list->count - 1] : NULL;

	if (event->kind == EXPT_EVENT_GC_START) {
		if (*is_open)
			return true;
		*is_open = true;
		return add_collection(list, event->time_ns);
	}
	if (!last)
		last = add_collection(list, 0);
	if (last)
		last->end_ns = event->time_ns;
	*is_open = false;
	return last;
}

static int compare(const void *left, const void *right)
{
	const struct collection *a = left, *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static bool read_log(struct collection_list *list, const struct expt *expt)
{
	bool is_open = false, is_good = true;

	for (size_t i = 0; i < expt_event_count(expt) && is_good; i++) {
		const struct expt_event *event = expt_event(expt, i);

		if (event->kind == EXPT_EVENT_GC_START ||
		    event->kind == EXPT_EVENT_GC_END)
			is_good = take_event(list, event, &is_open);
	}
	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items), compare);
	return is_good;
}

/* Returns the number of the collection at a time, or 0. */
static size_t number_at(const struct collection_list *list, uint64_t time_ns)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->items[middle].start_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && time_ns <= list->items[low - 1].end_ns
		       ? list->items[low - 1].number
		       : 0;
}

/* ---- sums ---- */

static bool make_sums(struct expt_collections *collections, size_t count)
{
	while (collections->sums.count < count) {
		struct sum *sum = array_add(&collections->sums);

		if (!sum || !figures_make(&sum->figures, collections->view, 1,
					  &collections->figures))
			return false;
	}
	return true;
}

/* false: stopped. A failure to read has been reported with the sums of all events. */
static bool read_data(struct expt_collections *collections,
		      const struct collection_list *list, struct expt *expt,
		      const struct kind_use *use, enum expt_data data)
{
	const struct expt_view *view = collections->view;
	struct expt_records *records;
	struct expt_record record;
	struct gauge gauge;

	gauge_set(&gauge, view, use, expt);
	if (expt_records_open(&records, expt, data, NULL) < 0)
		return true;
	while (!view_is_stopped(view) && expt_records_next(records, &record, NULL) > 0) {
		struct sum *sum =
			&collections->sums.items[number_at(list, record.time_ns)];

		sum->has_events = true;
		gauge_add(&gauge, &record, &sum->figures);
	}
	expt_records_close(records);
	return !view_is_stopped(view);
}

static bool read_member(struct expt_collections *collections, struct expt *expt)
{
	const struct expt_view *view = collections->view;
	struct collection_list list = { 0 };
	bool is_good = read_log(&list, expt) && make_sums(collections, list.count + 1);

	for (size_t i = 0; i < KIND_COUNT && is_good; i++) {
		const struct data_kind *kind = view->uses[i].kind;

		if (!kind->follow && expt_has_data(expt, kind->data))
			is_good =
				read_data(collections, &list, expt, &view->uses[i],
					  kind->measures_clock ? EXPT_CLOCK : kind->data);
	}
	array_release(&list);
	return is_good;
}

static bool read_all(struct expt_collections *collections)
{
	const struct expt_view *view = collections->view;
	bool is_good = make_sums(collections, 1);

	for (size_t i = 0; i < view->members.count && is_good; i++)
		is_good = read_member(collections, view->members.items[i].expt);
	return is_good;
}

int expt_collections_find(struct expt_collections **out, struct expt_view *view,
			  struct expt_error *err)
{
	struct expt_collections *collections = calloc(1, sizeof(*collections));

	if (collections) {
		collections->view = view;
		if (stack_sums_get(view) && read_all(collections)) {
			*out = collections;
			return 0;
		}
	}
	expt_collections_free(collections);
	return view_refuse(view, err);
}

size_t expt_collections_count(const struct expt_collections *collections)
{
	return collections->sums.count;
}

bool expt_collections_have_events(const struct expt_collections *collections,
				  size_t number)
{
	return collections->sums.items[number].has_events;
}

int64_t expt_collections_value(const struct expt_collections *collections, size_t number,
			       size_t metric)
{
	return figures_value(collections->view, &collections->sums.items[number].figures,
			     0, metric);
}
