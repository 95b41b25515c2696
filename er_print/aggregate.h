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

/* A function, or a pseudo-function such as <Total>. */
struct row {
	const struct expt_function *function; /* NULL: a pseudo-function */
	const char *name;		      /* of a pseudo-function */
	int64_t *exclusive, *inclusive;	      /* one value per metric with data */
	uint32_t visit;	 /* number of the last stack that counted it */
	bool is_counted; /* some value is not zero */
};

/* Rows that every aggregate has. */
enum { ROW_TOTAL, ROW_TRUNCATED, ROW_FAILED, ROW_FIRST_FUNCTION };

/* A distinct stack of a member in an epoch, in which nothing is loaded or unloaded. */
struct stack_sum {
	uint32_t member;
	uint64_t uid, time_ns;
	uint64_t leaf; /* replaces the stack's own leaf, unless 0 */
	uint32_t epoch;
	int64_t *values;
};

#define RECENT_IDS 8

/* Distinct ids of threads and the like in a member's events. */
struct id_set {
	struct idmap ids;
	uint64_t recent[RECENT_IDS]; /* ids met lately, by their last bits */
	bool is_recent[RECENT_IDS];
};

struct member_counts {
	struct id_set threads, lwps, cpus;
	uint64_t records, unknown_stacks;
};

#define PLACE_NONE SIZE_MAX /* no value is kept for a metric */

struct aggregate {
	size_t width;	      /* number of metrics with data, and of a row's values */
	size_t *value_places; /* index of each metric's value, or PLACE_NONE */
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
	struct idmap places; /* rows of addresses, for the current member and epoch */
	uint32_t places_member, places_epoch;
	struct arena arena;
	uint32_t visit;
};

/* Returns the session's aggregate, made at the first call; NULL if out of memory, which
 * has been reported. */
struct aggregate *session_aggregate(struct session *session);
void aggregate_free(struct aggregate *aggregate);

/* Returns the row of a function, or IDMAP_NONE: out of memory. */
uint32_t aggregate_row(struct session *session, const struct expt_function *function);

/* Returns the value of a metric, among those of a row or a stack. */
static inline int64_t value_of(const struct session *session, const int64_t *values,
			       size_t metric)
{
	return values[session->aggregate->value_places[metric]];
}

/* Get the rows of a distinct stack, leaf first; PLT stubs at the leaf are dropped and
 * markers have become rows. Valid until the next call. Returns the count, or -1. */
struct row_path {
	uint32_t *items;
	size_t count, capacity;
};
int aggregate_path(struct session *session, const struct stack_sum *stack,
		   struct row_path *path);

/* Returns "leaf_a", in the form of the settings; valid while the buffer is. */
const char *aggregate_row_name(const struct session *session, const struct row *row,
			       char *buffer, size_t size);

#endif
