/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the heap and events are read side by side, in the order of time. Memory is
 * needed for the blocks that exist at one time, of those that may have events, and for
 * what children have when they are made: copies of maps, which share what did not change.
 */
#include "libexpt/dataspace/block_events.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/dataspace/event_lines.h"
#include "libexpt/dataspace/moments.h"
#include "libexpt/dataspace/process_blocks.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"
#include "libexpt/kinds/counters.h"

struct block_events {
	struct expt_view *view;
	const struct kind_use *use;
	struct block_pool pool;
	struct lineage *lineages;
	size_t *order, next; /* of the members */
	bool *is_wanted;     /* members whose events, or whose children's, are read */
	struct process_blocks *inherited;
	struct event_lines lines;
	/* The member that is being read, and its records: */
	bool is_reading;
	size_t member;
	struct expt_records *events, *calls; /* NULL: none */
	struct expt_record call;
	bool has_call; /* the next one */
	struct moments moments;
	size_t next_moment;
	struct process_blocks blocks;
	unsigned paused_threads;
	struct {
		size_t *items;
		size_t count, capacity;
	} forking; /* children that are being made */
	bool has_failed;
};

static struct expt *expt_of(const struct block_events *events, size_t member)
{
	return events->view->members.items[member].expt;
}

/* ---- moments ----------------------------------------------------------------------- */

static void end_fork(struct block_events *events, size_t child)
{
	for (size_t i = 0; i < events->forking.count; i++)
		if (events->forking.items[i] == child)
			events->forking.items[i] =
				events->forking.items[--events->forking.count];
}

/* Blocks that another thread allocates while the process is being copied may be in the
 * copy, or not; those that it frees then are not known in the copy either. */
static void begin_fork(struct block_events *events, size_t child)
{
	size_t *forking;

	if (events->paused_threads > 0)
		return;
	forking = array_add(&events->forking);
	if (!forking) {
		events->has_failed = true;
		return;
	}
	*forking = child;
	events->inherited[child] = process_blocks_copy(&events->blocks, &events->pool);
}

/* A free that was not recorded makes blocks doubtful. */
static void forget(struct block_events *events)
{
	process_blocks_forget(&events->blocks, &events->pool);
	for (size_t i = 0; i < events->forking.count; i++)
		process_blocks_forget(&events->inherited[events->forking.items[i]],
				      &events->pool);
}

static void take_moment(struct block_events *events, const struct moment *moment)
{
	switch (moment->kind) {
	case MOMENT_FORK:
		begin_fork(events, moment->child);
		return;
	case MOMENT_FORKED:
		end_fork(events, moment->child);
		return;
	case MOMENT_THREAD_PAUSE:
		events->paused_threads++;
		break;
	case MOMENT_THREAD_RESUME:
		events->paused_threads -= events->paused_threads > 0;
		break;
	default:
		break;
	}
	forget(events);
}

/* ---- calls ------------------------------------------------------------------------- */

static void read_call(struct block_events *events)
{
	struct expt_error err;
	int rc = expt_records_next(events->calls, &events->call, &err);

	events->has_call = rc > 0;
	if (rc < 0)
		view_add_failure(events->view, events->member, &err);
}

/* Most blocks have no events: those that may have are few, and found fast. */
static bool has_events(const struct block_events *events, const struct heap_call *call)
{
	uint64_t end = call->size > UINT64_MAX - call->address
			       ? UINT64_MAX
			       : call->address + call->size;

	return event_lines_may_have(&events->lines, call->address, end);
}

static void take_call(struct block_events *events)
{
	const struct expt_record *record = &events->call;
	const struct expt_info *info = expt_info(expt_of(events, events->member));
	struct heap_call call = heap_call_read(record);
	struct allocation allocation = {
		.address = call.address,
		.size = call.size,
		.time_ns = record->time_ns,
		.stack = record->stack,
		.thread = record->thread,
		.member = (uint32_t)events->member,
	};

	process_blocks_follow(&events->blocks, &events->pool, &call, &allocation,
			      info->page_size,
			      events->paused_threads > 0 || !has_events(events, &call));
	for (size_t i = 0; i < events->forking.count; i++)
		process_blocks_follow(&events->inherited[events->forking.items[i]],
				      &events->pool, &call, &allocation, info->page_size,
				      true);
}

/* Do the next thing up to a time. false: there is none. */
static bool advance(struct block_events *events, uint64_t time_ns)
{
	const struct moment *moment =
		events->next_moment < events->moments.count
			? &events->moments.items[events->next_moment]
			: NULL;

	if (moment && events->has_call && moment->time_ns >= events->call.time_ns)
		moment = NULL;
	if (moment) {
		if (moment->time_ns > time_ns)
			return false;
		events->next_moment++;
		take_moment(events, moment);
		return true;
	}
	if (!events->has_call || events->call.time_ns > time_ns)
		return false;
	take_call(events);
	read_call(events);
	return true;
}

static bool is_good(const struct block_events *events)
{
	return !events->has_failed && !events->pool.has_failed &&
	       !view_is_stopped(events->view);
}

/* ---- members ----------------------------------------------------------------------- */

/* Returns the records in the order of time, or NULL: there are none. */
static struct expt_records *open_records(struct block_events *events, enum expt_data data)
{
	struct expt *expt = expt_of(events, events->member);
	struct expt_records *records;
	struct expt_error err;

	if (!expt_has_data(expt, data))
		return NULL;
	if (expt_records_open(&records, expt, data, &err) == 0) {
		if (expt_records_order(records, &err) >= 0)
			return records;
		expt_records_close(records);
	}
	view_add_failure(events->view, events->member, &err);
	return NULL;
}

static void begin_member(struct block_events *events)
{
	events->is_reading = true;
	residents_use(events->view, events->member);
	events->events = open_records(events, EXPT_HWC);
	events->calls = open_records(events, EXPT_HEAP);
	events->has_call = false;
	events->blocks = events->inherited[events->member];
	events->inherited[events->member] = (struct process_blocks){ 0 };
	events->paused_threads = 0;
	events->moments.count = events->next_moment = 0;
	if (!events->calls) {
		/* Nothing tells what it has freed. */
		process_blocks_forget(&events->blocks, &events->pool);
		return;
	}
	read_call(events);
	if (!moments_find(&events->moments, events->view, events->member,
			  events->lineages, events->is_wanted))
		events->has_failed = true;
}

/* Events may have ended before a child was made. */
static void finish_forks(struct block_events *events)
{
	size_t last = events->moments.count;

	while (last > events->next_moment &&
	       events->moments.items[last - 1].kind != MOMENT_FORKED)
		last--;
	while (events->next_moment < last && is_good(events) &&
	       advance(events, UINT64_MAX))
		;
}

static void end_member(struct block_events *events)
{
	if (!events->is_reading)
		return;
	finish_forks(events);
	process_blocks_forget(&events->blocks, &events->pool);
	events->forking.count = 0;
	expt_records_close(events->events);
	expt_records_close(events->calls);
	events->events = events->calls = NULL;
	events->is_reading = false;
}

/* Go to the next member that is wanted. false: there is none. */
static bool next_member(struct block_events *events)
{
	end_member(events);
	while (events->next < events->view->members.count) {
		events->member = events->order[events->next++];
		if (events->is_wanted[events->member]) {
			begin_member(events);
			return true;
		}
	}
	return false;
}

/* ---- events ------------------------------------------------------------------------ */

static const struct allocation *find(struct block_events *events,
				     const struct expt_record *record)
{
	int64_t address = 0;

	while (is_good(events) && advance(events, record->time_ns))
		;
	if (!expt_record_value(record, EXPT_VADDR, &address) ||
	    (uint64_t)address < EXPT_ADDRESS_CODES)
		return NULL;
	return process_blocks_find(&events->blocks, &events->pool, (uint64_t)address);
}

/* Read the next event of the current member. Returns 0: there is none. */
static int next_of_member(struct block_events *events, struct block_event *event)
{
	struct expt_error err;
	int rc;

	if (!events->is_reading || !events->events)
		return 0;
	rc = expt_records_next(events->events, &event->record, &err);
	if (rc < 0)
		view_add_failure(events->view, events->member, &err);
	return rc > 0;
}

/* false: out of memory. */
static bool judge(struct block_events *events, const struct expt_record *record,
		  bool *keeps)
{
	*keeps = counters_has_data(events->use, expt_of(events, events->member), record);
	return !*keeps ||
	       filter_keeps_record(events->view, events->member, record, keeps);
}

int block_events_next(struct block_events *events, struct block_event *event)
{
	bool keeps = false;

	while (is_good(events)) {
		if (next_of_member(events, event) == 0) {
			if (!next_member(events))
				return is_good(events) ? 0 : -1;
			continue;
		}
		if (!judge(events, &event->record, &keeps))
			return -1;
		if (!keeps)
			continue;
		event->member = events->member;
		event->allocation = find(events, &event->record);
		return is_good(events) ? 1 : -1;
	}
	return -1;
}

/* ---- all of them ------------------------------------------------------------------- */

/* Children follow their parents in the order, so that parents are judged after them. */
static void choose_members(struct block_events *events)
{
	for (size_t i = events->view->members.count; i > 0; i--) {
		size_t member = events->order[i - 1];
		size_t parent = events->lineages[member].parent;

		events->is_wanted[member] |=
			expt_has_data(expt_of(events, member), EXPT_HWC);
		if (parent != LINEAGE_NONE && events->is_wanted[member] &&
		    expt_has_data(expt_of(events, member), EXPT_HEAP))
			events->is_wanted[parent] = true;
	}
}

static bool read_lines(struct block_events *events)
{
	if (!events->use || events->use->with_data == 0)
		return true;
	choose_members(events);
	return event_lines_read(&events->lines, events->view);
}

struct block_events *block_events_open(struct expt_view *view)
{
	struct block_events *events = calloc(1, sizeof(*events));
	size_t count = view->members.count + 1;

	if (!events)
		return NULL;
	events->view = view;
	events->use = gauge_use(view, EXPT_HWC);
	events->lineages = lineages_find(view);
	events->order = lineages_order(view);
	events->is_wanted = calloc(count, sizeof(*events->is_wanted));
	events->inherited = calloc(count, sizeof(*events->inherited));
	if (events->lineages && events->order && events->is_wanted && events->inherited &&
	    read_lines(events))
		return events;
	block_events_close(events);
	return NULL;
}

void block_events_close(struct block_events *events)
{
	if (!events)
		return;
	expt_records_close(events->events);
	expt_records_close(events->calls);
	array_release(&events->moments);
	array_release(&events->forking);
	block_pool_release(&events->pool);
	event_lines_release(&events->lines);
	free(events->lineages);
	free(events->order);
	free(events->is_wanted);
	free(events->inherited);
	free(events);
}
