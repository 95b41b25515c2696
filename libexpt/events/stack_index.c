/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/stack_index.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/events/evaluation.h"

/* Not inlined, so that the usual path need not save registers for it. */
#define SELDOM __attribute__((noinline))

bool id_set_add_new(struct id_set *set, uint64_t id)
{
	uint32_t *slot = idmap_add(&set->ids, id);

	set->recent[id % RECENT_IDS] = id;
	set->is_recent[id % RECENT_IDS] = true;
	if (slot && *slot == IDMAP_NONE)
		*slot = (uint32_t)set->ids.count;
	return slot;
}

struct event stack_index_event(struct expt_view *view, const struct stack_index *index,
			       const struct expt_record *record, uint64_t leaf)
{
	return (struct event){
		.view = view,
		.member = index->member,
		.counts = index->counts,
		.record = record,
		.leaf = leaf,
	};
}

/* Stack uids are hashes; epoch, leaf and thread are spread over all bits, too. */
static uint64_t key_of(uint64_t stack, uint32_t epoch, uint64_t leaf, bool adds_leaf,
		       enum thread_kind thread)
{
	uint64_t key = leaf * UINT64_C(0xc2b2ae3d27d4eb4f);

	if (leaf && adds_leaf)
		key = ~key;
	key += (uint64_t)thread * UINT64_C(0xff51afd7ed558ccd);
	return key ^ stack ^ epoch * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the part of a key that keeps threads apart. */
static uint64_t thread_key(const struct expt_view *view, uint64_t thread_id)
{
	return view->is_by_thread ? idmap_number_key(IDMAP_KEY, thread_id) : 0;
}

/* Add a sum, which is the value of this new slot. */
static struct stack_sum *add_sum(struct expt_view *view, struct stack_sums *sums,
				 uint32_t *slot, const struct stack_sum *sum)
{
	struct stack_sum *added = array_add(&sums->stacks);

	if (!added)
		return NULL;
	*slot = (uint32_t)(sums->stacks.count - 1);
	*added = *sum;
	return figures_make(&added->figures, view, 1, &sums->values) ? added : NULL;
}

/* Find the value of the index. false: out of memory. */
static SELDOM bool find_value(struct expt_view *view, const struct stack_index *index,
			      const struct expt_record *record, uint64_t leaf,
			      int64_t *value)
{
	struct event event = stack_index_event(view, index, record, leaf);
	struct evaluation_result result;

	if (!evaluation_find(index->sums->index, &event, &result))
		return false;
	*value = result.is_known ? result.value : -1;
	return true;
}

/* Compared groups have sums of their own. */
static SELDOM struct stack_sum *sum_of_value(struct expt_view *view,
					     struct stack_index *index,
					     const struct expt_record *record,
					     uint64_t leaf)
{
	struct stack_sums *sums = index->sums;
	uint64_t group = view->members.items[index->member].group;
	int64_t value;
	uint32_t *slot;

	if (!find_value(view, index, record, leaf, &value))
		return NULL;
	slot = idmap_add(&sums->by_value,
			 (uint64_t)value ^ group * UINT64_C(0x9e3779b97f4a7c15));
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return &sums->stacks.items[*slot];
	return add_sum(view, sums, slot,
		       &(struct stack_sum){ .member = index->member, .value = value });
}

static SELDOM struct stack_sum *add_stack(struct expt_view *view,
					  struct stack_index *index, uint64_t key,
					  const struct stack_sum *sum)
{
	uint32_t *slot = idmap_add(&index->by_stack, key);

	return slot ? add_sum(view, index->sums, slot, sum) : NULL;
}

static struct stack_sum *sum_of_stack(struct expt_view *view, struct stack_index *index,
				      const struct expt_record *record, uint64_t leaf,
				      bool adds_leaf)
{
	struct expt *expt = view->members.items[index->member].expt;
	uint32_t epoch = expt_epoch(expt, record->time_ns), number;
	enum thread_kind thread = THREAD_OF_PROGRAM;
	uint64_t key;

	if (index->java.is_java)
		thread = java_threads_find(&index->java, record->thread, record->time_ns);
	key = key_of(record->stack, epoch, leaf, adds_leaf, thread) ^
	      thread_key(view, record->thread);
	if (index->subject > 0)
		key = idmap_number_key(idmap_number_key(IDMAP_KEY, key), index->subject);
	number = idmap_find(&index->by_stack, key);
	if (number != IDMAP_NONE)
		return &index->sums->stacks.items[number];
	return add_stack(view, index, key,
			 &(struct stack_sum){
				 .member = index->member,
				 .uid = record->stack,
				 .time_ns = record->time_ns,
				 .leaf = leaf,
				 .leaf_is_added = leaf && adds_leaf,
				 .epoch = epoch,
				 .thread = thread,
				 .thread_id = record->thread,
				 .lwp = record->lwp,
				 .subject = index->subject,
			 });
}

bool stack_index_find_subject(struct stack_index *index, const struct expt_record *record,
			      bool keeps)
{
	const struct subject_finder *finder = index->finder;

	index->subject = 0;
	return !finder || (!keeps && !finder->is_of_all) ||
	       finder->find(finder->context, index->member, record, keeps,
			    &index->subject);
}

struct stack_sum *stack_index_sum(struct expt_view *view, struct stack_index *index,
				  const struct expt_record *record, uint64_t leaf,
				  bool adds_leaf)
{
	return index->sums->index ? sum_of_value(view, index, record, leaf)
				  : sum_of_stack(view, index, record, leaf, adds_leaf);
}

/* ---- records that are kept with their times ---- */

static bool is_timed(const struct expt_view *view, const struct kind_use *use,
		     enum expt_data data, size_t metric)
{
	return (use->kind->measures_clock ? EXPT_CLOCK : use->kind->data) == data &&
	       view->places[metric] != PLACE_NONE &&
	       (view->timed_metric == EXPT_METRIC_EVERY || view->timed_metric == metric);
}

struct timed_events *timed_begin(const struct expt_view *view, struct stack_sums *sums,
				 enum expt_data data)
{
	struct timed_events *timed = &sums->timed[data];

	timed->width = 0;
	if (view->timed_metric == EXPT_METRIC_NONE || sums->index)
		return NULL;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		const struct kind_use *use = &view->uses[i];

		for (size_t m = use->base; m < use->base + use->count; m++)
			if (timed->width < TIMED_METRICS_MAX &&
			    is_timed(view, use, data, m)) {
				timed->metrics[timed->width] = m;
				timed->places[timed->width++] = view->places[m];
			}
	}
	return timed->width > 0 ? timed : NULL;
}

/* ---- parts ---- */

/* Ids have numbers from 1 on, in the order in which they were met. */
static bool merge_ids(struct id_set *all, const struct id_set *later)
{
	size_t count = later->ids.count;
	uint64_t *ids = calloc(count + 1, sizeof(*ids));
	bool is_good = ids;

	if (ids)
		idmap_list(&later->ids, ids);
	for (size_t i = 1; i <= count && is_good; i++)
		is_good = id_set_add(all, ids[i]);
	free(ids);
	return is_good;
}

static bool merge_sum(struct expt_view *view, struct stack_index *index,
		      const struct stack_sum *sum)
{
	uint64_t key =
		key_of(sum->uid, sum->epoch, sum->leaf, sum->leaf_is_added, sum->thread) ^
		thread_key(view, sum->thread_id);
	uint32_t *slot = idmap_add(&index->by_stack, key);
	struct stack_sum *all;

	if (!slot)
		return false;
	all = *slot != IDMAP_NONE ? &index->sums->stacks.items[*slot]
				  : add_sum(view, index->sums, slot, sum);
	if (all)
		figures_add(view, &all->figures, 0, &sum->figures);
	return all;
}

bool stack_index_merge(struct expt_view *view, struct stack_index *index,
		       const struct stack_index *later)
{
	bool is_good = merge_ids(&index->counts->threads, &later->counts->threads) &&
		       merge_ids(&index->counts->lwps, &later->counts->lwps) &&
		       merge_ids(&index->counts->cpus, &later->counts->cpus);

	index->counts->records += later->counts->records;
	for (size_t i = 0; i < later->sums->stacks.count && is_good; i++)
		is_good = merge_sum(view, index, &later->sums->stacks.items[i]);
	return is_good;
}

void member_counts_release(struct member_counts *counts)
{
	idmap_release(&counts->threads.ids);
	idmap_release(&counts->lwps.ids);
	idmap_release(&counts->cpus.ids);
}
