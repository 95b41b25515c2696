/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of clock samples by parallel region or task. */
#include <stdlib.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"
#include "libexpt/format.h"
#include "libexpt/threads/omp_entries.h"

struct sum {
	struct expt_omp_sum shown;
	struct figures figures;
};

struct expt_omp_sums {
	struct expt_view *view;
	struct expt_rows *functions;
	struct {
		struct sum *items;
		size_t count, capacity;
	} list;
	struct idmap by_place;
	struct arena figures;
	bool has_counts;
};

/* A process while its samples are read. */
struct reader {
	struct expt_omp_sums *sums;
	struct expt *expt;
	struct omp_entries entries;
	struct gauge clock, omp;
};

void expt_omp_sums_free(struct expt_omp_sums *sums)
{
	if (!sums)
		return;
	array_release(&sums->list);
	idmap_release(&sums->by_place);
	arena_release(&sums->figures);
	free(sums);
}

/* Find the place of a pragma; 0: outside of all. Functions of several experiments are
 * one, as in their rows. */
static bool find_place(const struct reader *reader, uint64_t pragma, uint64_t time_ns,
		       struct expt_omp_sum *shown, uint64_t *key)
{
	uint64_t words[2] = { IDMAP_NONE, 0 };
	struct expt_place place;

	*shown = (struct expt_omp_sum){ .function = NULL };
	if (pragma != 0) {
		expt_place(reader->expt, pragma, time_ns, &place);
		words[0] = rows_of_function(reader->sums->functions, place.function);
		words[1] = place.offset;
		if (words[0] == IDMAP_NONE)
			return false;
		shown->function = expt_row(reader->sums->functions, words[0])->function;
		shown->offset = place.offset;
	}
	*key = idmap_key(IDMAP_KEY, words, sizeof(words));
	return true;
}

static struct sum *sum_of(const struct reader *reader, uint64_t pragma, uint64_t time_ns)
{
	struct expt_omp_sums *sums = reader->sums;
	struct expt_omp_sum shown;
	struct sum *sum;
	uint32_t *slot;
	uint64_t key;

	if (!find_place(reader, pragma, time_ns, &shown, &key))
		return NULL;
	slot = idmap_add(&sums->by_place, key);
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &sums->list.items[*slot];
	sum = array_add(&sums->list);
	if (!sum)
		return NULL;
	*slot = (uint32_t)(sums->list.count - 1);
	sum->shown = shown;
	return figures_make(&sum->figures, sums->view, 1, &sums->figures) ? sum : NULL;
}

static bool add_record(const struct reader *reader, const struct expt_record *record)
{
	uint64_t pragma =
		omp_entries_find(&reader->entries, record->thread, record->time_ns);
	struct sum *sum = sum_of(reader, pragma, record->time_ns);

	if (!sum)
		return false;
	gauge_add(&reader->clock, record, &sum->figures);
	gauge_add(&reader->omp, record, &sum->figures);
	return true;
}

static bool add_clock(struct reader *reader)
{
	const struct expt_view *view = reader->sums->view;
	struct expt_records *records;
	struct expt_record record;
	bool is_good = true;

	gauge_set(&reader->clock, view, gauge_use(view, EXPT_CLOCK), reader->expt);
	gauge_set(&reader->omp, view, gauge_use(view, EXPT_OMP), reader->expt);
	/* A failure to read has been reported with the sums of all events. */
	if (expt_records_open(&records, reader->expt, EXPT_CLOCK, NULL) < 0)
		return true;
	while (is_good && expt_records_next(records, &record, NULL) > 0)
		is_good = !view_is_stopped(view) && add_record(reader, &record);
	expt_records_close(records);
	return is_good;
}

/* A description says how often the region was begun, or the task run, since the last one
 * of the thread. */
static bool add_count(const struct reader *reader, const struct expt_record *record)
{
	int64_t count, pragma = 0;
	struct sum *sum;

	if (!expt_record_value(record, EXPT_OMPCOUNT, &count) || count <= 0)
		return true;
	expt_record_value(record, EXPT_PRPC, &pragma);
	sum = sum_of(reader, (uint64_t)pragma, record->time_ns);
	if (!sum)
		return false;
	if (__builtin_add_overflow(sum->shown.count, count, &sum->shown.count))
		sum->shown.count = INT64_MAX;
	reader->sums->has_counts = true;
	return true;
}

static bool add_counts(const struct reader *reader, enum expt_omp_by by)
{
	uint32_t type = by == EXPT_BY_REGION ? PACKET_OMP_REGION : PACKET_OMP_TASK;
	struct expt_records *records;
	struct expt_record record;
	bool is_good = true;

	if (expt_records_open(&records, reader->expt, EXPT_OMP, NULL) < 0)
		return true;
	while (is_good && expt_records_next(records, &record, NULL) > 0)
		if (record.declaration->type == type)
			is_good = add_count(reader, &record);
	expt_records_close(records);
	return is_good;
}

/* Samples of a process without entries do not count. */
static bool read_member(struct expt_omp_sums *sums, struct expt *expt,
			enum expt_omp_by by)
{
	struct reader reader = { .sums = sums, .expt = expt };
	bool is_good = true;

	if (!expt_has_data(expt, EXPT_OMP))
		return true;
	is_good = omp_entries_read(&reader.entries, expt, by);
	if (is_good && reader.entries.list.count > 0)
		is_good = add_clock(&reader);
	is_good = is_good && add_counts(&reader, by);
	omp_entries_release(&reader.entries);
	return is_good;
}

static bool read_all(struct expt_omp_sums *sums, enum expt_omp_by by)
{
	for (size_t i = 0; i < sums->view->members.count; i++)
		if (!read_member(sums, sums->view->members.items[i].expt, by))
			return false;
	return true;
}

int expt_omp_sums_find(struct expt_omp_sums **out, struct expt_view *view,
		       enum expt_omp_by by, struct expt_error *err)
{
	struct expt_omp_sums *sums = calloc(1, sizeof(*sums));

	if (sums) {
		sums->view = view;
		sums->functions = rows_get(view, EXPT_BY_FUNCTION);
		if (sums->functions && read_all(sums, by)) {
			*out = sums;
			return 0;
		}
	}
	expt_omp_sums_free(sums);
	return view_refuse(view, err);
}

size_t expt_omp_sums_count(const struct expt_omp_sums *sums)
{
	return sums->list.count;
}

bool expt_omp_sums_have_counts(const struct expt_omp_sums *sums)
{
	return sums->has_counts;
}

const struct expt_omp_sum *expt_omp_sum(const struct expt_omp_sums *sums, size_t i)
{
	return &sums->list.items[i].shown;
}

int64_t expt_omp_sum_value(const struct expt_omp_sums *sums, size_t i, size_t metric)
{
	return figures_value(sums->view, &sums->list.items[i].figures, 0, metric);
}
