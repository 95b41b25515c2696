/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/stack_sums.h"

#include <inttypes.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/common/workers.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/replay.h"
#include "libexpt/events/residents.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/experiment/stack_table.h"
#include "libexpt/places/address_map.h"

/* A filter of stacks is asked once for each stack, unless single events are kept. */
static bool is_filtered_later(const struct expt_view *view)
{
	return filter_is_of_stacks(view) && view->timed_metric == EXPT_METRIC_NONE;
}

static bool read_member(struct expt_view *view, struct stack_sums *sums, uint32_t member)
{
	struct stack_index index = {
		.sums = sums,
		.counts = &sums->members[member],
		.member = member,
		.is_filtered_later = !sums->index && is_filtered_later(view),
	};
	struct expt *expt = view->members.items[member].expt;
	bool is_good;

	residents_use(view, member);
	is_good = java_threads_read(&index.java, expt);
	index.is_filtered = filter_is_set(view) && !index.is_filtered_later;

	for (int data = 0; data < EXPT_DATA_COUNT && is_good; data++)
		if (expt_has_data(expt, (enum expt_data)data))
			is_good = replay_data(view, &index, (enum expt_data)data);
	idmap_release(&index.by_stack);
	java_threads_release(&index.java);
	return is_good;
}

/* ---- files of members, read by several threads ---- */

static bool can_read_ahead(const struct expt_view *view, const struct expt *expt)
{
	return !expt->folder.package && !view_is_stopped(view);
}

static bool has_events(const struct expt *expt)
{
	for (int data = 0; data < EXPT_DATA_COUNT; data++)
		if (expt_has_data(expt, (enum expt_data)data) &&
		    folder_has_content(&expt->folder,
				       expt_data_name((enum expt_data)data)))
			return true;
	return false;
}

/* Read the address map of one member; for workers_run(). */
static int read_map(void *context, unsigned worker, size_t item, struct expt_error *err)
{
	const struct expt_view *view = context;
	struct expt *expt = view->members.items[item].expt;

	if (can_read_ahead(view, expt) && has_events(expt))
		address_map_read(expt);
	return 0;
}

/* The same for its call stacks. An error is reported when the first one is needed. */
static int read_stacks(void *context, unsigned worker, size_t item,
		       struct expt_error *err)
{
	const struct expt_view *view = context;
	struct expt *expt = view->members.items[item].expt;

	if (view->sums->members[item].records > 0 && !expt->stacks &&
	    can_read_ahead(view, expt))
		stack_table_open(expt, err);
	return 0;
}

static void read_ahead(struct expt_view *view, workers_function *work)
{
	size_t count = view->members.count;

	workers_run(workers_for(workers_count(0), count), count, work, view, NULL);
}

/* ---- a filter of stacks ---- */

static bool keeps(struct expt_view *view, const struct stack_sum *sum, bool *is_kept)
{
	struct expt_record record = { .stack = sum->uid, .time_ns = sum->time_ns };
	struct event event = {
		.view = view,
		.member = sum->member,
		.counts = &view->sums->members[sum->member],
		.record = &record,
		.leaf = sum->leaf,
	};

	return filter_keeps(&event, is_kept);
}

/* Remove the stacks that the filter drops. false: out of memory, or stopped. */
static bool filter_stacks(struct expt_view *view)
{
	struct stack_sums *sums = view->sums;
	size_t kept = 0;

	if (!is_filtered_later(view))
		return true;
	for (size_t i = 0; i < sums->stacks.count; i++) {
		bool is_kept;

		if (view_is_stopped(view) ||
		    !keeps(view, &sums->stacks.items[i], &is_kept))
			return false;
		if (is_kept)
			sums->stacks.items[kept++] = sums->stacks.items[i];
	}
	sums->stacks.count = kept;
	return true;
}

/* ---- stacks that are missing ---- */

/* Look up every stack once: if the file is unreadable, its events count in the total
 * only; missing stacks are counted. false: stopped. */
static bool check_stacks(struct expt_view *view)
{
	struct stack_sums *sums = view->sums;
	uint32_t unreadable = IDMAP_NONE;

	read_ahead(view, read_stacks);
	for (size_t i = 0; i < sums->stacks.count; i++) {
		struct stack_sum *sum = &sums->stacks.items[i];
		struct expt_stack stack;
		struct expt_error err;
		int rc;

		if (view_is_stopped(view))
			return false;
		if (sum->member == unreadable)
			sum->uid = 0;
		if (sum->uid == 0)
			continue;
		residents_use(view, sum->member);
		rc = expt_stack(view->members.items[sum->member].expt, sum->uid, &stack,
				&err);
		if (rc == 0)
			sums->members[sum->member].unknown_stacks++;
		if (rc >= 0)
			continue;
		view_add_failure(view, sum->member, &err);
		unreadable = sum->member;
		sum->uid = 0;
	}
	return true;
}

static void report_missing(struct expt_view *view)
{
	for (size_t i = 0; i < view->sums->member_count; i++)
		if (view->sums->members[i].unknown_stacks)
			view_add_problem(view, true,
					 "%s: %s: %" PRIu64 " call stacks are missing: "
					 "their events count only in the total",
					 view->members.items[i].name, expt_frames_name(),
					 view->sums->members[i].unknown_stacks);
}

/* ---- all of them ---- */

static bool make_summaries(struct expt_view *view, struct stack_sums *sums)
{
	for (size_t i = 0; i < KIND_COUNT; i++) {
		size_t size = view->uses[i].kind->summary_size;

		if (size == 0)
			continue;
		sums->summaries[i] = calloc(1, size);
		if (!sums->summaries[i])
			return false;
	}
	return true;
}

static bool fill(struct expt_view *view, struct stack_sums *sums)
{
	sums->member_count = view->members.count;
	sums->members = calloc(sums->member_count + 1, sizeof(*sums->members));
	if (!sums->members || !make_summaries(view, sums))
		return false;
	read_ahead(view, read_map);
	for (size_t i = 0; i < sums->member_count; i++)
		if (!read_member(view, sums, (uint32_t)i))
			return false;
	return true;
}

static bool fill_by_stack(struct expt_view *view)
{
	if (!fill(view, view->sums) || !filter_stacks(view) || !check_stacks(view))
		return false;
	report_missing(view);
	return true;
}

static void release_counts(struct stack_sums *sums)
{
	for (size_t i = 0; sums->members && i < sums->member_count; i++)
		member_counts_release(&sums->members[i]);
	free(sums->members);
}

void timed_release(struct timed_events *timed)
{
	free(timed->moments);
	free(timed->values);
	*timed = (struct timed_events){ .count = 0 };
}

void stack_sums_free(struct expt_view *view, struct stack_sums *sums)
{
	if (!sums)
		return;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (sums->summaries[i])
			view->uses[i].kind->release_summary(sums->summaries[i]);
		free(sums->summaries[i]);
	}
	release_counts(sums);
	array_release(&sums->stacks);
	for (size_t i = 0; i < EXPT_DATA_COUNT; i++)
		timed_release(&sums->timed[i]);
	idmap_release(&sums->by_value);
	arena_release(&sums->values);
	free(sums);
}

void stack_sums_forget(struct expt_view *view)
{
	stack_sums_free(view, view->sums);
	view->sums = NULL;
}

struct stack_sums *stack_sums_get(struct expt_view *view)
{
	if (view->sums)
		return view->sums;
	view->sums = calloc(1, sizeof(*view->sums));
	if (view->sums && !fill_by_stack(view))
		stack_sums_forget(view);
	return view->sums;
}

bool stack_sums_keep(struct expt_view *view, size_t timed_metric)
{
	bool is_new = !view->is_by_thread || view->timed_metric != timed_metric;

	view->is_by_thread = true;
	view->timed_metric = timed_metric;
	return is_new;
}

struct stack_sums *stack_sums_by_value(struct expt_view *view, struct evaluation *index)
{
	struct stack_sums *sums = calloc(1, sizeof(*sums));

	if (!sums)
		return NULL;
	sums->index = index;
	if (fill(view, sums))
		return sums;
	stack_sums_free(view, sums);
	return NULL;
}
