/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/stack_sums.h"

#include <inttypes.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/events/evaluation.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/gauge.h"
#include "libexpt/events/problems.h"

/* The sums of the records of one member read so far, by stack and epoch. */
struct stack_index {
	struct idmap by_stack;
	struct stack_sums *sums;
	uint32_t member;
	struct java_threads java;
	bool is_filtered;
};

static struct event event_of(struct expt_view *view, const struct stack_index *index,
			     const struct expt_record *record, uint64_t leaf)
{
	return (struct event){
		.view = view,
		.member = index->member,
		.counts = &index->sums->members[index->member],
		.record = record,
		.leaf = leaf,
	};
}

/* Compared groups have sums of their own. */
static struct stack_sum *sum_of_value(struct expt_view *view, struct stack_index *index,
				      const struct expt_record *record, uint64_t leaf)
{
	struct stack_sums *sums = index->sums;
	struct event event = event_of(view, index, record, leaf);
	uint64_t group = view->members.items[index->member].group;
	struct evaluation_result result;
	struct stack_sum *sum;
	uint32_t *slot;

	if (!evaluation_find(sums->index, &event, &result))
		return NULL;
	if (!result.is_known)
		result.value = -1;
	slot = idmap_add(&sums->by_value,
			 (uint64_t)result.value ^ group * UINT64_C(0x9e3779b97f4a7c15));
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &sums->stacks.items[*slot];
	*slot = (uint32_t)sums->stacks.count;
	sum = array_add(&sums->stacks);
	if (!sum)
		return NULL;
	*sum = (struct stack_sum){ .member = index->member, .value = result.value };
	return figures_make(&sum->figures, view, 1, &sums->values) ? sum : NULL;
}

static struct stack_sum *sum_of_stack(struct expt_view *view, struct stack_index *index,
				      const struct expt_record *record, uint64_t leaf,
				      bool adds_leaf)
{
	struct stack_sums *sums = index->sums;
	struct expt *expt = view->members.items[index->member].expt;
	uint32_t epoch = expt_epoch(expt, record->time_ns);
	struct stack_sum *sum;
	uint64_t key = leaf * UINT64_C(0xc2b2ae3d27d4eb4f);
	enum thread_kind thread = THREAD_OF_PROGRAM;
	uint32_t *slot;

	/* Stack uids are hashes; epoch and leaf are spread over all bits, too. */
	if (leaf && adds_leaf)
		key = ~key;
	if (index->java.is_java)
		thread = java_threads_find(&index->java, record->thread, record->time_ns);
	key += (uint64_t)thread * UINT64_C(0xff51afd7ed558ccd);
	key ^= record->stack ^ epoch * UINT64_C(0x9e3779b97f4a7c15);
	slot = idmap_add(&index->by_stack, key);
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &sums->stacks.items[*slot];
	*slot = (uint32_t)sums->stacks.count;
	sum = array_add(&sums->stacks);
	if (!sum)
		return NULL;
	*sum = (struct stack_sum){
		.member = index->member,
		.uid = record->stack,
		.time_ns = record->time_ns,
		.leaf = leaf,
		.leaf_is_added = leaf && adds_leaf,
		.epoch = epoch,
		.thread = thread,
	};
	return figures_make(&sum->figures, view, 1, &sums->values) ? sum : NULL;
}

static struct stack_sum *sum_of_record(struct expt_view *view, struct stack_index *index,
				       const struct expt_record *record, uint64_t leaf,
				       bool adds_leaf)
{
	return index->sums->index ? sum_of_value(view, index, record, leaf)
				  : sum_of_stack(view, index, record, leaf, adds_leaf);
}

static bool add_id(struct id_set *set, uint64_t id)
{
	size_t i = id % RECENT_IDS;
	uint32_t *slot;

	if (set->is_recent[i] && set->recent[i] == id)
		return true;
	set->recent[i] = id;
	set->is_recent[i] = true;
	slot = idmap_add(&set->ids, id);
	if (slot && *slot == IDMAP_NONE)
		*slot = (uint32_t)set->ids.count;
	return slot;
}

static bool count_ids(struct member_counts *counts, const struct expt_record *record)
{
	counts->records++;
	return add_id(&counts->threads, record->thread) &&
	       add_id(&counts->lwps, record->lwp) && add_id(&counts->cpus, record->cpu);
}

uint32_t replay_stack(struct replay *replay, const struct expt_record *record)
{
	struct stack_sum *sum;

	if (!replay->keeps)
		return REPLAY_DROPPED;
	sum = sum_of_record(replay->view, replay->index, record, 0, false);
	return sum ? (uint32_t)(sum - replay->index->sums->stacks.items) : IDMAP_NONE;
}

void replay_add(struct replay *replay, uint32_t stack, size_t metric, int64_t value)
{
	struct stack_sum *sum;

	if (stack == REPLAY_DROPPED)
		return;
	sum = &replay->index->sums->stacks.items[stack];
	for (size_t i = 0; i < replay->gauge->kept_count; i++)
		if (replay->gauge->kept[i].metric == metric)
			add_saturated(&sum->figures.values[replay->gauge->kept[i].place],
				      value);
}

/* Find whether the filter keeps the record. false: out of memory. */
static bool judge(struct expt_view *view, const struct stack_index *index,
		  struct replay *replay, const struct expt_record *record, uint64_t leaf)
{
	struct event event = event_of(view, index, record, leaf);

	return filter_keeps(&event, &replay->keeps);
}

static bool add_record(struct expt_view *view, struct stack_index *index,
		       struct replay *replay, const struct expt_record *record)
{
	const struct gauge *gauge = replay->gauge;
	struct stack_sum *sum;
	uint64_t leaf;

	if (!count_ids(&index->sums->members[index->member], record))
		return false;
	if (!gauge->kind)
		return true;
	leaf = gauge->kind->leaf ? gauge->kind->leaf(record, gauge) : 0;
	if (index->is_filtered && !judge(view, index, replay, record, leaf))
		return false;
	if (gauge->kind->follow)
		return gauge->kind->follow(replay, record);
	if (!replay->keeps)
		return true;
	sum = sum_of_record(view, index, record, leaf, gauge->kind->adds_leaf);
	if (!sum)
		return false;
	gauge_add(gauge, record, &sum->figures);
	if (replay->second)
		gauge_add(replay->second, record, &sum->figures);
	return true;
}

/* false: out of memory, or stopped. *rc is negative if the records cannot be read. */
static bool add_records(struct expt_view *view, struct replay *replay,
			struct expt_records *records, int *rc, struct expt_error *err)
{
	const struct data_kind *kind = replay->gauge->kind;
	bool is_followed = kind && kind->follow, is_good = true;
	struct expt_record record;

	*rc = 0;
	if (is_followed) {
		replay->state = calloc(1, kind->state_size);
		is_good = replay->state;
		*rc = expt_records_order(records, err);
	}
	while (is_good && *rc >= 0 &&
	       (*rc = expt_records_next(records, &record, err)) > 0)
		is_good = !view_is_stopped(view) &&
			  add_record(view, replay->index, replay, &record);
	if (is_followed && replay->state)
		is_good = kind->finish(replay) && is_good;
	free(replay->state);
	return is_good;
}

static bool read_data(struct expt_view *view, struct stack_index *index,
		      enum expt_data data)
{
	struct expt *expt = view->members.items[index->member].expt;
	const struct kind_use *use = gauge_use(view, data);
	struct expt_records *records;
	struct expt_error err;
	struct gauge gauge, second;
	struct replay replay = {
		.view = view,
		.member = index->member,
		.gauge = &gauge,
		.summary = use ? index->sums->summaries[use - view->uses] : NULL,
		.index = index,
		.keeps = true,
	};
	bool is_good = true;
	int rc;

	gauge_set(&gauge, view, use && use->kind->measures_clock ? NULL : use, expt);
	if (data == EXPT_CLOCK && expt_has_data(expt, EXPT_OMP)) {
		gauge_set(&second, view, gauge_use(view, EXPT_OMP), expt);
		replay.second = &second;
	}
	rc = expt_records_open(&records, expt, data, &err);
	if (rc == 0) {
		is_good = add_records(view, &replay, records, &rc, &err);
		expt_records_close(records);
	}
	if (rc < 0)
		view_add_failure(view, index->member, &err);
	return is_good;
}

static bool read_member(struct expt_view *view, struct stack_sums *sums, uint32_t member)
{
	struct stack_index index = {
		.sums = sums,
		.member = member,
		.is_filtered = filter_is_set(view),
	};
	struct expt *expt = view->members.items[member].expt;
	bool is_good = java_threads_read(&index.java, expt);

	for (int data = 0; data < EXPT_DATA_COUNT && is_good; data++)
		if (expt_has_data(expt, (enum expt_data)data))
			is_good = read_data(view, &index, (enum expt_data)data);
	idmap_release(&index.by_stack);
	java_threads_release(&index.java);
	return is_good;
}

/* ---- stacks that are missing ---- */

/* Look up every stack once: if the file is unreadable, its events count in the total
 * only; missing stacks are counted. false: stopped. */
static bool check_stacks(struct expt_view *view)
{
	struct stack_sums *sums = view->sums;
	uint32_t unreadable = IDMAP_NONE;

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
			view_add_problem(view, false,
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
	for (size_t i = 0; i < sums->member_count; i++)
		if (!read_member(view, sums, (uint32_t)i))
			return false;
	return true;
}

static bool fill_by_stack(struct expt_view *view)
{
	if (!fill(view, view->sums) || !check_stacks(view))
		return false;
	report_missing(view);
	return true;
}

static void release_counts(struct stack_sums *sums)
{
	for (size_t i = 0; sums->members && i < sums->member_count; i++) {
		idmap_release(&sums->members[i].threads.ids);
		idmap_release(&sums->members[i].lwps.ids);
		idmap_release(&sums->members[i].cpus.ids);
	}
	free(sums->members);
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
