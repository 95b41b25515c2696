/* SPDX-License-Identifier: Apache-2.0 */
/* From records to sums by call stack, in one pass over the records. */
#ifndef LIBEXPT_EVENTS_STACK_SUMS_H
#define LIBEXPT_EVENTS_STACK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "libexpt/base/idmap.h"
#include "libexpt/events/figures.h"
#include "libexpt/events/java_threads.h"

/* A distinct stack of a member in an epoch, in which nothing is loaded or unloaded. */
struct stack_sum {
	uint32_t member;
	uint64_t uid, time_ns; /* uid: 0 if it cannot be read */
	uint64_t leaf;	       /* replaces the stack's own leaf, unless 0 */
	bool leaf_is_added;    /* it precedes the stack's own */
	uint32_t epoch;
	enum thread_kind thread; /* of the events */
	uint64_t thread_id, lwp; /* of the first one; of all, if they are by thread */
	int64_t value;		 /* of the index */
	uint32_t subject;	 /* 0: none, or sums are not apart for them */
	struct figures figures;	 /* of one group */
};

/* Returns the number of addresses of a stack, or the address at a place in it. */
static inline size_t pc_count(const struct stack_sum *sum, const struct expt_stack *whole)
{
	return whole->count + sum->leaf_is_added;
}

static inline uint64_t pc_at(const struct stack_sum *sum, const struct expt_stack *whole,
			     size_t i)
{
	return i == 0 && sum->leaf ? sum->leaf : whole->pcs[i - sum->leaf_is_added];
}

#define RECENT_IDS 8

/* Distinct ids of threads and the like in a member's events. */
struct id_set {
	struct idmap ids; /* with numbers in the order in which they were met */
	uint64_t recent[RECENT_IDS]; /* ids met lately, by their last bits */
	bool is_recent[RECENT_IDS];
};

struct member_counts {
	struct id_set threads, lwps, cpus;
	uint64_t records, unknown_stacks;
};

/* Records of one kind of data that are kept with their times, and what each adds to some
 * metrics. */
#define TIMED_METRICS_MAX (2 * KIND_METRICS_MAX)
struct timed_events {
	/* Numbers of the metrics in the view, and places of their values */
	size_t metrics[TIMED_METRICS_MAX], places[TIMED_METRICS_MAX];
	size_t width; /* 0: records of the kind are not kept */
	/* In the order of the files; stack: number of its sum */
	struct expt_table_moment *moments;
	int64_t *values; /* width of each moment */
	size_t count, capacity;
};

struct stack_sums {
	struct {
		struct stack_sum *items;
		size_t count, capacity;
	} stacks;
	struct timed_events timed[EXPT_DATA_COUNT];
	struct member_counts *members;
	size_t member_count;
	struct evaluation *index; /* NULL, or sums are by its value instead */
	struct idmap by_value;
	void *summaries[KIND_COUNT]; /* NULL where a kind has none */
	struct arena values;
};

/* Returns the sums of the view, made at the first call; NULL: out of memory. */
struct stack_sums *stack_sums_get(struct expt_view *view);
/* Returns sums by the value of an expression, in place of the stack; NULL: out of memory,
 * or stopped. An unknown value is -1. */
struct stack_sums *stack_sums_by_value(struct expt_view *view, struct evaluation *index);
void stack_sums_free(struct expt_view *view, struct stack_sums *sums);
/* Forget those of the view. */
void stack_sums_forget(struct expt_view *view);
/* Keep sums apart for threads from now on, and the events of a metric, of
 * EXPT_METRIC_EVERY, or of none, with their times. Returns whether the sums of the view,
 * if there are any, are to be made again. */
bool stack_sums_keep(struct expt_view *view, size_t timed_metric);
void timed_release(struct timed_events *timed);

#endif
