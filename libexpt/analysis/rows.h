/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by what is on the stacks: functions, addresses, objects. A distinct stack is
 * resolved once. */
#ifndef LIBEXPT_ANALYSIS_ROWS_H
#define LIBEXPT_ANALYSIS_ROWS_H

#include "libexpt/analysis/frames.h"

struct row {
	struct expt_row shown;
	struct figures exclusive, inclusive;
	uint32_t visit; /* number of the last stack that counted it */
	bool is_folded; /* all functions of an object; see expt_view_set_object() */
	bool is_api;	/* of an object of which only the entries are shown */
};

struct expt_rows {
	struct expt_view *view;
	enum expt_by by;
	struct {
		struct row *items;
		size_t count, capacity;
	} rows;
	struct idmap by_key;	  /* of what a row is the sum */
	struct idmap by_identity; /* the same with several founders */
	struct idmap claims; /* when comparing: the function of an object that a row is */
	struct idmap places; /* rows of addresses, for the current member and epoch */
	uint32_t places_member, places_epoch;
	struct frame_list frames; /* of the current stack, if it is not native */
	struct arena values;
	uint32_t visit;
};

/* Returns the rows of the view, made at the first call; NULL: out of memory. */
struct expt_rows *rows_get(struct expt_view *view, enum expt_by by);
/* Make rows with those that are always there, and the total of the sums; NULL: out of
 * memory. */
struct expt_rows *rows_new(struct expt_view *view, enum expt_by by,
			   const struct stack_sums *sums);
/* Add an empty row; NULL: out of memory. */
struct row *rows_add(struct expt_rows *rows);
void rows_free(struct expt_rows *rows);
/* Forget all rows of the view. */
void rows_forget(struct expt_view *view);

/* Get the rows of a distinct stack, leaf first; PLT stubs at the leaf are dropped and
 * markers have become rows. Returns the count, or -1: out of memory. */
struct row_path {
	uint32_t *items;
	size_t count, capacity;
};
int rows_path(struct expt_rows *rows, const struct stack_sum *stack,
	      struct row_path *path);

/* Returns the row of a function, or IDMAP_NONE: out of memory. Rows by function only. */
uint32_t rows_of_function(struct expt_rows *rows, const struct expt_function *function);

#endif
