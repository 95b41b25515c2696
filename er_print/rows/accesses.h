/* SPDX-License-Identifier: Apache-2.0 */
/* The events of data objects in the blocks that call stacks allocated, with these stacks.
 */
#ifndef ER_PRINT_ROWS_ACCESSES_H
#define ER_PRINT_ROWS_ACCESSES_H

#include "er_print/session/session.h"

struct accesses {
	struct expt_traces *traces;
	size_t metrics[METRIC_COLUMNS_MAX];
	size_t count; /* of metrics */
};
#define ACCESSES_TOTAL SIZE_MAX

/* Choose those of the metrics of data objects that are shown, or all of them. */
void accesses_choose(const struct session *session, struct accesses *accesses);
void accesses_choose_all(const struct session *session, struct accesses *accesses);
/* Returns a stack's value of a metric, or with ACCESSES_TOTAL that of all stacks. */
int64_t accesses_value(const struct accesses *accesses, size_t trace, size_t metric);
/* Check whether any value of a stack is not 0. */
bool accesses_are_any(const struct accesses *accesses, size_t trace);
/* Add all values: ", Data-derived loads Events = 12"; of all stacks with
 * "Total". */
void accesses_add(const struct session *session, const struct accesses *accesses,
		  size_t trace, struct strbuf *text);

/* Stacks in order. */
struct access_key {
	size_t trace;
	int64_t value;
};
/* Returns the metric of data objects that is sorted by, if it is one. */
size_t accesses_sort_metric(const struct session *session,
			    const struct accesses *accesses);
/* Returns the order of two stacks by their values, then as they were met. */
int access_keys_compare(const struct access_key *a, const struct access_key *b,
			bool is_reversed);

#endif
