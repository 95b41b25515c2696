/* SPDX-License-Identifier: Apache-2.0 */
/* The events of one kind of data, added up for each stack in equal parts of the run. */
#ifndef ER_HTML_CELLS_H
#define ER_HTML_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct cell {
	uint64_t part; /* of the run */
	uint32_t stack;
};

struct cells {
	const struct expt_table_kind *kind;
	size_t stack_count;
	uint32_t *order;  /* moments by stack, and for each in the order of the file */
	uint32_t *starts; /* of each stack, in this order; and the end */
	int64_t *units;	 /* for each metric, a number that divides all its values, or 0 */
	bool *is_signed; /* some of its values are negative */

	/* Set by cells_make(): in the order of time, then of stacks */
	struct cell *items;
	int64_t *values; /* one for each metric of the kind */
	size_t count;
};

/* Prepare the events of a kind; of_stack has a number for each stack of the tables, below
 * stack_count. false: out of memory. */
bool cells_open(struct cells *cells, const struct expt_table_kind *kind,
		const uint32_t *of_stack, size_t stack_count);
/* Returns about how many bytes the cells have when compressed, with parts of a width; -1:
 * out of memory. */
double cells_bytes(const struct cells *cells, uint64_t width_ns);
/* Make the cells. false: out of memory. */
bool cells_make(struct cells *cells, uint64_t width_ns);
void cells_release(struct cells *cells);

#endif
