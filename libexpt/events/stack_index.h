/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of the records of one member read so far, by stack and epoch. */
#ifndef LIBEXPT_EVENTS_STACK_INDEX_H
#define LIBEXPT_EVENTS_STACK_INDEX_H

#include "libexpt/events/facts.h"
#include "libexpt/events/stack_sums.h"

struct stack_index {
	struct idmap by_stack;
	struct stack_sums *sums;
	struct member_counts *counts;
	uint32_t member;
	const struct subject_finder *finder; /* NULL: there are none */
	uint32_t subject; /* of the record whose sum is looked for; 0: none */
	struct java_threads java;
	bool is_filtered;	/* by event */
	bool is_filtered_later; /* by stack, when all events are summed up */
};

struct event stack_index_event(struct expt_view *view, const struct stack_index *index,
			       const struct expt_record *record, uint64_t leaf);
/* Find the subject of the record whose sum is looked for next. false: out of memory. */
bool stack_index_find_subject(struct stack_index *index, const struct expt_record *record,
			      bool keeps);
/* Returns the sum that a record belongs to, valid until the next one is added; NULL: out
 * of memory. leaf: see struct stack_sum. */
struct stack_sum *stack_index_sum(struct expt_view *view, struct stack_index *index,
				  const struct expt_record *record, uint64_t leaf,
				  bool adds_leaf);
/* Add the sums and counts of records that come later. false: out of memory. Sums of
 * squares may then differ in their last bits from those of one reader. */
bool stack_index_merge(struct expt_view *view, struct stack_index *index,
		       const struct stack_index *later);

/* Find the metrics whose values are kept of records of a kind. Returns NULL if there are
 * none. */
struct timed_events *timed_begin(const struct expt_view *view, struct stack_sums *sums,
				 enum expt_data data);

/* Most ids have been met lately. false: out of memory. */
bool id_set_add_new(struct id_set *set, uint64_t id);

static inline bool id_set_add(struct id_set *set, uint64_t id)
{
	size_t i = id % RECENT_IDS;

	return (set->is_recent[i] && set->recent[i] == id) || id_set_add_new(set, id);
}

/* Count a record and its ids. */
static inline bool member_counts_add(struct member_counts *counts,
				     const struct expt_record *record)
{
	counts->records++;
	return id_set_add(&counts->threads, record->thread) &&
	       id_set_add(&counts->lwps, record->lwp) &&
	       id_set_add(&counts->cpus, record->cpu);
}

void member_counts_release(struct member_counts *counts);

#endif
