/* SPDX-License-Identifier: Apache-2.0 */
/* Data objects: the structures, arrays and variables to which events with data addresses
 * belong. */
/* clang-format off */
#ifndef LIBEXPT_API_DATA_H
#define LIBEXPT_API_DATA_H

#include "libexpt/api/sums.h"

EXPT_DECLARATIONS_BEGIN

/* Rows of data objects that are always there: all scalar variables; events whose object
 * is not known, the rows of which say why. */
enum { EXPT_DATA_SCALARS = EXPT_ROW_FIRST, EXPT_DATA_UNKNOWN, EXPT_DATA_FIRST };

/* The data object of a row. */
struct expt_datum {
	/* The row of what contains it: an aggregate, an array, <Scalars>, <Unknown>;
	 * EXPT_ROW_TOTAL for the others. */
	uint32_t container;
	const char *descriptor;		/* "{structure:foo_t}.{int i}" */
	const char *short_form;		/* "foo_t.i" */
	uint64_t offset;		/* in the outermost container, in bytes */
	uint64_t size;			/* 0: unknown */
	bool is_aggregate;		/* see expt_data_layout() */
};

/* The rows of data objects. Containers have the events of all that they contain, so the
 * total is the sum of the outermost ones, of <Scalars> and <Unknown>. Exclusive and
 * inclusive values are the same; metrics without data objects are 0. */
int expt_view_data_rows(struct expt_view *view, struct expt_rows **rows,
			struct expt_error *err);
const struct expt_datum *expt_row_datum(const struct expt_rows *rows, size_t i);

/* All members of an aggregate, also those without events, and its gaps. */
struct expt_data_member {
	/* "{int i}"; NULL: a gap; "(Virtual base classes)": where these may be */
	const char *element;
	uint64_t offset, size;		/* in bytes */
	unsigned depth;			/* 0: a member of the aggregate itself */
	uint32_t row;			/* EXPT_ROW_TOTAL: it has no events */
};
/* Returns their number; the members are valid until the view changes. */
size_t expt_data_layout(struct expt_rows *rows, size_t row,
			const struct expt_data_member **members);

/* ---- blocks of the heap ------------------------------------------------------------ */

/* Which call stacks allocated the blocks and mappings that events accessed, as far as
 * there is heap tracing: stacks that look the same are one, as in expt_traces_find(). An
 * event belongs to the block in which its address lay at its time; what a process had
 * when it was made by fork is known from its parent. Events in no block that is known
 * belong to none: in memory that was free, whose allocation had not returned yet, or was
 * not recorded.
 *
 * rows, from expt_view_data_rows(), and a row of it: the stacks with events of that
 * object. NULL: all stacks of heap tracing with their values, and all events with data
 * addresses; stacks whose calls the filter drops have no values. */
int expt_block_traces_find(struct expt_traces **out, struct expt_view *view,
			   struct expt_rows *rows, size_t row, struct expt_error *err);
/* The events in blocks that the stack allocated; 0 in other lists of stacks. */
int64_t expt_trace_accesses(const struct expt_traces *traces, size_t i, size_t metric);

EXPT_DECLARATIONS_END

#endif
