/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All events of the loaded experiments, summed up: first by call stack, in one pass over
 * the records, then by function, once per stack.
 */
#ifndef ER_PRINT_AGGREGATE_H
#define ER_PRINT_AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "er_print/session.h"
#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

/* A function, or one of the rows that are none. */
struct row {
	const struct expt_function *function; /* NULL: a pseudo-function */
	const char *name;		      /* of a pseudo-function */
	int64_t *exclusive, *inclusive;	      /* a value per metric there is data for */
	uint32_t visit;	 /* number of the stack that counted it last */
	bool is_counted; /* some value is not zero */
};

/* The rows every aggregate has. */
enum { ROW_TOTAL, ROW_TRUNCATED, ROW_FAILED, ROW_FIRST_FUNCTION };

/* A distinct stack of a member, at a time from which on nothing was loaded or unloaded. */
struct stack_sum {
	uint32_t member;
	uint64_t uid, time_ns;
	uint64_t leaf; /* in the place of the stack's own; 0: that is the leaf */
	uint32_t epoch;
	int64_t *values;
};

#define RECENT_IDS 8

/* The distinct ids of threads and the like that a member's events have. */
struct id_set {
	struct idmap ids;
	uint64_t recent[RECENT_IDS]; /* those met lately, by their last bits */
	bool is_recent[RECENT_IDS];
};

struct member_counts {
	struct id_set threads, lwps, cpus;
	uint64_t records, unknown_stacks;
};

#define PLACE_NONE SIZE_MAX /* no value is kept for a metric */

struct aggregate {
	size_t width;	      /* metrics there is data for, and so the values of a row */
	size_t *value_places; /* which of them is a metric, or PLACE_NONE */
	struct {
		struct row *items;
		size_t count, capacity;
	} rows;
	struct {
		struct stack_sum *items;
		size_t count, capacity;
	} stacks;
	struct member_counts *members;
	size_t member_count;
	void **summaries; /* one per kind of data; NULL where it has none */
	struct idmap rows_by_function, rows_by_identity;
	struct idmap places; /* of the member and epoch at hand: addresses to rows */
	uint32_t places_member, places_epoch;
	struct arena arena;
	uint32_t visit;
};

/* The aggregate of the session, made at the first call; NULL when out of memory, which
 * has then been reported. */
struct aggregate *session_aggregate(struct session *session);
void aggregate_free(struct aggregate *aggregate);

/* The row of a function, or IDMAP_NONE: out of memory. */
uint32_t aggregate_row(struct session *session, const struct expt_function *function);

/* The value of a metric, among those of a row or a stack. */
static inline int64_t value_of(const struct session *session, const int64_t *values,
			       size_t metric)
{
	return values[session->aggregate->value_places[metric]];
}

/* The rows of a distinct stack, leaf first; PLT stubs at the leaf are gone and markers
 * have become rows. Valid until the next call. The count, or -1. */
struct row_path {
	uint32_t *items;
	size_t count, capacity;
};
int aggregate_path(struct session *session, const struct stack_sum *stack,
		   struct row_path *path);

/* "leaf_a", in the form of the settings. Valid until the next call with the same buffer.
 */
const char *aggregate_row_name(const struct session *session, const struct row *row,
			       char *buffer, size_t size);

#endif
