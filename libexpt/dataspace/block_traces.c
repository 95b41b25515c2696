/* SPDX-License-Identifier: Apache-2.0 */
/* From events with data addresses to the call stacks that allocated what they accessed.
 */
#include "libexpt/analysis/traces.h"
#include "libexpt/dataspace/block_events.h"
#include "libexpt/dataspace/data_rows.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"

struct maker {
	struct expt_view *view;
	struct expt_traces *traces;
	struct expt_rows *rows; /* NULL: of all objects */
	size_t row;
	struct gauge gauge; /* of the member of the last event */
	size_t gauge_member;
	struct java_threads java; /* of the member of the last allocation */
	size_t java_member;
	struct idmap by_stack; /* traces */
};

/* ---- allocations ------------------------------------------------------------------- */

static bool find_thread(struct maker *maker, const struct allocation *allocation,
			enum thread_kind *kind)
{
	if (maker->java_member != allocation->member) {
		java_threads_release(&maker->java);
		maker->java = (struct java_threads){ 0 };
		maker->java_member = allocation->member;
		residents_use(maker->view, allocation->member);
		if (!java_threads_read(
			    &maker->java,
			    maker->view->members.items[allocation->member].expt))
			return false;
	}
	*kind = maker->java.is_java ? java_threads_find(&maker->java, allocation->thread,
							allocation->time_ns)
				    : THREAD_OF_PROGRAM;
	return true;
}

static uint64_t key_of(const struct stack_sum *sum)
{
	uint64_t key = idmap_number_key(IDMAP_KEY, sum->member);

	key = idmap_number_key(key, sum->epoch);
	key = idmap_number_key(key, sum->thread);
	return idmap_number_key(key, sum->uid);
}

/* Returns the trace of an allocation, or IDMAP_NONE. */
static uint32_t trace_of(struct maker *maker, const struct allocation *allocation)
{
	struct expt *expt = maker->view->members.items[allocation->member].expt;
	struct stack_sum sum = {
		.member = allocation->member,
		.uid = allocation->stack,
		.time_ns = allocation->time_ns,
		.epoch = expt_epoch(expt, allocation->time_ns),
	};
	uint32_t *slot;

	if (!find_thread(maker, allocation, &sum.thread))
		return IDMAP_NONE;
	slot = idmap_add(&maker->by_stack, key_of(&sum));
	if (slot && *slot == IDMAP_NONE)
		*slot = traces_of_stack(maker->traces, &sum, false);
	return slot ? *slot : IDMAP_NONE;
}

/* ---- events ------------------------------------------------------------------------ */

/* Find whether an event is one of the object. false: out of memory. */
static bool is_of_row(struct maker *maker, const struct block_event *event, bool *is_of)
{
	uint32_t number;

	*is_of = !maker->rows || maker->row == EXPT_ROW_TOTAL;
	if (*is_of)
		return true;
	number = data_rows_of_record(maker->rows, event->member, &event->record);
	if (number == IDMAP_NONE)
		return false;
	while (number != EXPT_ROW_TOTAL && number != maker->row)
		number = expt_row_datum(maker->rows, number)->container;
	*is_of = number == maker->row;
	return true;
}

/* false: out of memory. */
static bool add_event(struct maker *maker, const struct block_event *event)
{
	struct expt_view *view = maker->view;
	struct figures *accesses;
	uint32_t trace;
	bool is_of;

	if (!event->allocation)
		return true;
	if (!is_of_row(maker, event, &is_of))
		return false;
	if (!is_of)
		return true;
	trace = trace_of(maker, event->allocation);
	accesses = trace != IDMAP_NONE ? traces_accesses(maker->traces, trace) : NULL;
	if (!accesses)
		return false;
	if (maker->gauge_member != event->member)
		gauge_set(&maker->gauge, view, gauge_use(view, EXPT_HWC),
			  view->members.items[event->member].expt);
	maker->gauge_member = event->member;
	gauge_add(&maker->gauge, &event->record, accesses);
	return true;
}

static bool add_events(struct maker *maker)
{
	struct block_events *events = block_events_open(maker->view);
	struct block_event event;
	int rc = -1;

	while (events && (rc = block_events_next(events, &event)) > 0)
		if (!add_event(maker, &event)) {
			rc = -1;
			break;
		}
	block_events_close(events);
	return rc == 0;
}

int expt_block_traces_find(struct expt_traces **out, struct expt_view *view,
			   struct expt_rows *rows, size_t row, struct expt_error *err)
{
	struct maker maker = {
		.view = view,
		.rows = rows,
		.row = row,
		.gauge_member = SIZE_MAX,
		.java_member = SIZE_MAX,
	};
	bool is_good;
	int rc = 0;

	if (!rows)
		rc = expt_traces_find(&maker.traces, view, EXPT_HEAP, false, err);
	else
		maker.traces = traces_new(view);
	if (rc < 0)
		return rc;
	/* Threads are numbered there, and a filter may use the numbers. */
	is_good = maker.traces && (!filter_is_set(view) || stack_sums_get(view)) &&
		  add_events(&maker);
	idmap_release(&maker.by_stack);
	java_threads_release(&maker.java);
	if (is_good) {
		*out = maker.traces;
		return 0;
	}
	expt_traces_free(maker.traces);
	return view_refuse(view, err);
}
