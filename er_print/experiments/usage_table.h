/* SPDX-License-Identifier: Apache-2.0 */
/* Resource usage as a table: a line for each sample, or for the sum of several. */
#ifndef ER_PRINT_EXPERIMENTS_USAGE_TABLE_H
#define ER_PRINT_EXPERIMENTS_USAGE_TABLE_H

#include "er_print/table/table.h"
#include "libexpt/expt.h"

/* A sample, or the sum of several as one. */
struct usage {
	struct expt_sample sample;
	uint64_t duration_ns;
	size_t sample_count;
	bool has_span; /* false for sums over experiments: no common clock */
};

struct usage_time {
	enum expt_usage_time time;
	const char *label;
};

struct usage_count {
	enum expt_usage_count count;
	const char *label;
};

#define USAGE_TIMES  10
#define USAGE_COUNTS 12
extern const struct usage_time usage_times[USAGE_TIMES];
extern const struct usage_count usage_counts[USAGE_COUNTS];

struct usage_table {
	struct table table;
	bool has_counts, has_cpu_times;
};

/* false: out of memory. */
bool usage_table_add_columns(struct usage_table *table);
/* Add a line. number: of the sample; NULL: a sum. cpu_time: NULL without such times. */
bool usage_table_add(struct usage_table *table, const char *experiment,
		     const uint64_t *number, const struct usage *usage,
		     const struct expt_cpu_time *cpu_time);

double usage_threads(const struct usage *usage); /* running at a time, on average */

#endif
