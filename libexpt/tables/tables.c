/* SPDX-License-Identifier: Apache-2.0 */
/* The tables are made from the sums by call stack: each distinct stack is resolved once,
 * and an event costs nothing more than its number. */
#include "libexpt/expt.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"
#include "libexpt/tables/places.h"
#include "libexpt/tables/subjects.h"

struct tables {
	struct expt_tables shown;
	struct expt_view *view;
	struct places places;
	struct expt_table_place *shown_places;
	struct {
		struct expt_table_node *items;
		size_t count, capacity;
	} nodes;
	struct idmap by_parent; /* nodes, by parent and place */
	struct idmap by_sum;	/* nodes, by what sums of several threads share */
	struct {
		struct expt_table_thread *items;
		size_t count, capacity;
	} threads;
	struct idmap by_thread; /* by member and id */
	struct {
		struct expt_table_stack *items;
		size_t count, capacity;
	} stacks;
	struct {
		struct figures *items; /* of each of the stacks */
		size_t count, capacity;
	} figures;
	struct idmap by_node; /* stacks, by node, thread and subject */
	struct subjects subjects;
	struct arena values;
	struct timed_events timed[EXPT_DATA_COUNT]; /* with stacks of these tables */
	struct expt_table_event *events;
	struct expt_table_kind kinds[EXPT_DATA_COUNT];
	uint32_t *stack_of_sum;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} path; /* places of the current stack, leaf first */
	struct frame_list list;
};

void expt_tables_free(const struct expt_tables *shown)
{
	struct tables *tables = (struct tables *)shown;

	if (!tables)
		return;
	rows_free(tables->places.functions);
	places_release(&tables->places);
	free(tables->shown_places);
	array_release(&tables->nodes);
	idmap_release(&tables->by_parent);
	idmap_release(&tables->by_sum);
	array_release(&tables->threads);
	idmap_release(&tables->by_thread);
	array_release(&tables->stacks);
	array_release(&tables->figures);
	idmap_release(&tables->by_node);
	subjects_release(&tables->subjects);
	arena_release(&tables->values);
	for (size_t i = 0; i < EXPT_DATA_COUNT; i++)
		timed_release(&tables->timed[i]);
	free(tables->events);
	free(tables->stack_of_sum);
	array_release(&tables->path);
	array_release(&tables->list);
	free(tables);
}

/* ---- the path of a stack ---- */

/* Add a place, unless it is that of a function which calls its own part: in the source,
 * that is no call. */
static bool add_place(struct tables *tables, uint32_t number)
{
	const struct place_entry *all = tables->places.all.items, *place, *callee;
	uint32_t *added;

	if (number == IDMAP_NONE)
		return false;
	if (tables->path.count > 0) {
		place = &all[number];
		callee = &all[tables->path.items[tables->path.count - 1]];
		if (callee->is_part && !place->is_part && place->shown.frame_count == 1 &&
		    place->function == callee->function)
			return true;
	}
	added = array_add(&tables->path);
	if (added)
		*added = number;
	return added;
}

static bool add_end(struct tables *tables, int end)
{
	return end == EXPT_STACK_WHOLE ||
	       add_place(tables,
			 places_of_row(&tables->places, end == EXPT_STACK_FAILED
								? EXPT_ROW_FAILED
								: EXPT_ROW_TRUNCATED));
}

static bool find_native_path(struct tables *tables, const struct stack_sum *sum)
{
	struct expt *expt = tables->view->members.items[sum->member].expt;
	struct expt_stack whole = { .count = 0 };

	if (sum->uid != 0 && expt_stack(expt, sum->uid, &whole, NULL) < 0)
		return false;
	for (size_t i = 0; i < pc_count(sum, &whole); i++) {
		uint32_t place =
			places_of_pc(&tables->places, sum, pc_at(sum, &whole, i), i == 0);

		if (place != PLACES_STUB && !add_place(tables, place))
			return false;
	}
	return add_end(tables, (int)whole.end);
}

/* The same in another mode, such as that of Java. */
static bool find_path_of_frames(struct tables *tables, const struct stack_sum *sum)
{
	int end = frames_find(&tables->list, tables->view, sum);

	for (size_t i = 0; end >= 0 && i < tables->list.count; i++)
		if (!add_place(tables,
			       places_number(&tables->places, &tables->list.items[i])))
			return false;
	return end >= 0 && add_end(tables, end);
}

static bool find_path(struct tables *tables, const struct stack_sum *sum)
{
	residents_use(tables->view, sum->member);
	tables->path.count = 0;
	return frames_are_native(tables->view, sum) ? find_native_path(tables, sum)
						    : find_path_of_frames(tables, sum);
}

/* ---- nodes, threads, stacks ---- */

/* Returns the node of a place below a parent, or IDMAP_NONE. */
static uint32_t node_of(struct tables *tables, uint32_t parent, uint32_t place)
{
	uint32_t *slot = idmap_add(&tables->by_parent, (uint64_t)parent << 32 | place);
	struct expt_table_node *node;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	node = array_add(&tables->nodes);
	if (!node)
		return IDMAP_NONE;
	*node = (struct expt_table_node){ .parent = parent, .place = place };
	return *slot = (uint32_t)(tables->nodes.count - 1);
}

static uint32_t node_of_path(struct tables *tables)
{
	uint32_t node = 0;

	for (size_t i = tables->path.count; i > 0 && node != IDMAP_NONE; i--)
		node = node_of(tables, node, tables->path.items[i - 1]);
	return node;
}

/* The same stack in another thread has the same path. */
static uint32_t node_of_sum(struct tables *tables, const struct stack_sum *sum)
{
	uint64_t words[5] = { sum->uid, sum->leaf,
			      (uint64_t)sum->epoch << 32 | sum->member,
			      sum->leaf_is_added, sum->thread };
	uint32_t *slot =
		idmap_add(&tables->by_sum, idmap_key(IDMAP_KEY, words, sizeof(words)));
	uint32_t node = IDMAP_NONE;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	if (find_path(tables, sum))
		node = node_of_path(tables);
	*slot = node;
	return node;
}

static uint32_t thread_of(struct tables *tables, const struct stack_sum *sum)
{
	const struct member_counts *counts = &tables->view->sums->members[sum->member];
	uint64_t words[2] = { sum->member, sum->thread_id };
	uint32_t *slot =
		idmap_add(&tables->by_thread, idmap_key(IDMAP_KEY, words, sizeof(words)));
	struct expt_table_thread *thread;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	thread = array_add(&tables->threads);
	if (!thread)
		return IDMAP_NONE;
	*thread = (struct expt_table_thread){
		.expt = sum->member,
		.id = sum->thread_id,
		.lwp = sum->lwp,
		.number = idmap_find(&counts->threads.ids, sum->thread_id),
	};
	return *slot = (uint32_t)(tables->threads.count - 1);
}

/* Returns the stack of a node, a thread and a subject, or IDMAP_NONE. */
static uint32_t stack_of(struct tables *tables, uint32_t node, uint32_t thread,
			 uint32_t subject)
{
	uint64_t key = (uint64_t)node << 32 | thread;
	struct expt_table_stack *stack;
	struct figures *figures;
	uint32_t *slot;

	if (subject > 0)
		key = idmap_number_key(idmap_number_key(IDMAP_KEY, key), subject);
	slot = idmap_add(&tables->by_node, key);
	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	stack = array_add(&tables->stacks);
	figures = array_add(&tables->figures);
	if (!stack || !figures ||
	    !figures_make(figures, tables->view, 1, &tables->values))
		return IDMAP_NONE;
	*stack = (struct expt_table_stack){
		.node = node,
		.thread = thread,
		.subject = subject,
	};
	return *slot = (uint32_t)(tables->stacks.count - 1);
}

static bool add_sum(struct tables *tables, size_t number)
{
	const struct stack_sum *sum = &tables->view->sums->stacks.items[number];
	const uint32_t *subjects = tables->subjects.numbers;
	uint32_t node, thread, stack;

	node = node_of_sum(tables, sum);
	thread = thread_of(tables, sum);
	if (node == IDMAP_NONE || thread == IDMAP_NONE)
		return false;
	stack = stack_of(tables, node, thread,
			 sum->subject > 0 && subjects ? subjects[sum->subject] : 0);
	if (stack == IDMAP_NONE)
		return false;
	tables->stack_of_sum[number] = stack;
	figures_add(tables->view, &tables->figures.items[stack], 0, &sum->figures);
	return true;
}

/* ---- events ---- */

/* The kept events are no longer those of the sums, which are read again if they are
 * needed once more. */
static void take_events(struct tables *tables)
{
	struct stack_sums *sums = tables->view->sums;

	for (size_t i = 0; i < EXPT_DATA_COUNT; i++) {
		struct timed_events *timed = &tables->timed[i];

		*timed = sums->timed[i];
		sums->timed[i] = (struct timed_events){ .count = 0 };
		for (size_t event = 0; event < timed->count; event++)
			timed->moments[event].stack =
				tables->stack_of_sum[timed->moments[event].stack];
	}
	tables->view->timed_metric = EXPT_METRIC_NONE;
}

static void show_kinds(struct tables *tables)
{
	struct expt_tables *shown = &tables->shown;

	for (size_t i = 0; i < EXPT_DATA_COUNT; i++) {
		const struct timed_events *timed = &tables->timed[i];

		if (timed->count > 0)
			tables->kinds[shown->kind_count++] = (struct expt_table_kind){
				.metrics = timed->metrics,
				.metric_count = timed->width,
				.moments = timed->moments,
				.values = timed->values,
				.count = timed->count,
			};
	}
	shown->kinds = tables->kinds;
}

/* Those of one time stay in the order of their files. */
static int compare_events(const void *a, const void *b)
{
	const struct expt_table_event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

/* The events of one metric are of one kind. */
static bool show_events(struct tables *tables)
{
	const struct timed_events *timed = tables->timed;
	struct expt_table_event *events;
	size_t count = 0;

	while (timed < tables->timed + EXPT_DATA_COUNT - 1 && timed->count == 0)
		timed++;
	events = tables->events = array_zeroed(timed->count + 1, sizeof(*events));
	for (size_t i = 0; i < timed->count && events; i++)
		if (timed->values[i] != 0)
			events[count++] = (struct expt_table_event){
				.time_ns = timed->moments[i].time_ns,
				.value = timed->values[i],
				.stack = timed->moments[i].stack,
			};
	if (events)
		qsort(events, count, sizeof(*events), compare_events);
	tables->shown.events = events;
	tables->shown.event_count = count;
	return events;
}

/* ---- all of them ---- */

/* NULL: out of memory, or stopped. Sums that are apart for subjects are read now. */
static const struct stack_sums *read_sums(struct tables *tables)
{
	const struct stack_sums *sums = NULL;
	bool is_good;

	if (tables->view->timed_metric != EXPT_METRIC_EVERY)
		return stack_sums_get(tables->view);
	rows_forget(tables->view);
	stack_sums_forget(tables->view);
	if (subjects_begin(&tables->subjects, tables->view))
		sums = stack_sums_get(tables->view);
	subjects_end(&tables->subjects);
	is_good = sums && subjects_complete(&tables->subjects);
	return is_good ? sums : NULL;
}

static bool fill(struct tables *tables)
{
	const struct stack_sums *sums = read_sums(tables);
	static const struct stack_sums none;
	bool is_every;

	tables->places.functions = rows_new(tables->view, EXPT_BY_FUNCTION, &none);
	if (!sums || !tables->places.functions || !array_add(&tables->nodes))
		return false;
	tables->stack_of_sum =
		array_zeroed(sums->stacks.count + 1, sizeof(*tables->stack_of_sum));
	if (!tables->stack_of_sum || !idmap_reserve(&tables->by_node, sums->stacks.count))
		return false;
	for (size_t i = 0; i < sums->stacks.count; i++)
		if (view_is_stopped(tables->view) || !add_sum(tables, i))
			return false;
	is_every = tables->view->timed_metric == EXPT_METRIC_EVERY;
	take_events(tables);
	if (!is_every)
		return show_events(tables);
	show_kinds(tables);
	return true;
}

static bool show_places(struct tables *tables)
{
	const struct places *places = &tables->places;

	tables->shown_places =
		array_zeroed(places->all.count + 1, sizeof(*tables->shown_places));
	for (size_t i = 0; i < places->all.count && tables->shown_places; i++)
		tables->shown_places[i] = places->all.items[i].shown;
	tables->shown.places = tables->shown_places;
	tables->shown.place_count = places->all.count;
	return tables->shown_places;
}

static bool show(struct tables *tables)
{
	struct expt_tables *shown = &tables->shown;

	shown->functions = tables->places.functions;
	shown->function_count = expt_rows_count(shown->functions);
	shown->objects = tables->places.objects.items;
	shown->object_count = tables->places.objects.count;
	shown->frames = tables->places.frames.items;
	shown->frame_count = tables->places.frames.count;
	shown->nodes = tables->nodes.items;
	shown->node_count = tables->nodes.count;
	shown->threads = tables->threads.items;
	shown->thread_count = tables->threads.count;
	shown->stacks = tables->stacks.items;
	shown->stack_count = tables->stacks.count;
	shown->subjects = tables->subjects.list.items;
	shown->subject_count = tables->subjects.list.count;
	shown->files = tables->subjects.files;
	return show_places(tables);
}

int expt_tables_make(const struct expt_tables **out, struct expt_view *view,
		     size_t timed_metric, struct expt_error *err)
{
	struct tables *tables = calloc(1, sizeof(*tables));

	if (!tables)
		return expt_refuse(err, -ENOMEM, "out of memory");
	tables->view = view;
	if (stack_sums_keep(view, timed_metric)) {
		rows_forget(view);
		stack_sums_forget(view);
	}
	if (!fill(tables) || !show(tables)) {
		expt_tables_free(&tables->shown);
		return view_refuse(view, err);
	}
	*out = &tables->shown;
	return 0;
}

int64_t expt_tables_value(const struct expt_tables *shown, size_t stack, size_t metric)
{
	const struct tables *tables = (const struct tables *)shown;

	return figures_value(tables->view, &tables->figures.items[stack], 0, metric);
}
