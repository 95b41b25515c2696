/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of the kinds of data. A kind that tables support is one entry of the table in
 * main.c and one file. */
#ifndef ER_PRINT_METRICS_H
#define ER_PRINT_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct session;

enum metric_unit {
	METRIC_TIME,  /* nanoseconds, shown as seconds */
	METRIC_COUNT, /* number of events or bytes */
};

struct metric {
	const char *name;   /* in commands: "totalcpu" */
	const char *title;  /* "System CPU Time" */
	const char *column; /* in titles of columns, after the flavor: "Sys. CPU" */
	enum metric_unit unit;
};

/* Add without overflow: damaged values could exceed the range. */
static inline void add_saturated(int64_t *sum, int64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = value < 0 ? INT64_MIN : INT64_MAX;
}

#define KIND_METRICS_MAX 16

struct replay;

/* A kind of data, and how its records are measured. */
struct data_kind {
	enum expt_data data;
	const struct metric *metrics;
	size_t metric_count;
	/* Check whether the experiment's data supports the metric. */
	bool (*offers)(const struct expt *expt, const struct metric *metric);
	/* Returns the value of one unit, the same for all records of an experiment. */
	int64_t (*scale)(const struct expt *expt);
	/* Add the measures of a record to the values, one per metric in their order. */
	void (*measure)(const struct expt_record *record, int64_t scale, int64_t *values);
	/* NULL, or returns the address replacing the leaf of a record's stack; 0:
	 * none. */
	uint64_t (*leaf)(const struct expt_record *record, int64_t scale);

	/* For records that only make sense together: called in the order of time, instead
	 * of scale() and measure(). state is zeroed at the start of each process, summary
	 * once; false: out of memory. */
	bool (*follow)(struct replay *replay, const struct expt_record *record);
	bool (*finish)(
		struct replay *replay); /* end of the process: frees state's contents */
	void (*release_summary)(void *summary);
	size_t state_size, summary_size;
};

/* State while the records of one process are read. */
struct replay {
	struct session *session;
	uint32_t member;
	const struct gauge *gauge;
	void *state, *summary;
	struct stack_index *index;
};

#define KIND_COUNT 5
extern const struct data_kind *const
	*data_kinds; /* KIND_COUNT entries and NULL; set by main() */

/* All metrics of all kinds, numbered in the order of data_kinds. */
size_t metric_count(void);
const struct metric *metric_at(size_t index);
/* Returns the index of the first metric of the i-th kind. */
size_t metric_base(size_t kind);
size_t metric_base_of(const struct data_kind *kind);
/* Check whether any experiment's data supports it. */
bool metric_is_offered(const struct session *session, size_t index);

#endif
