/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by what is on the stacks: functions, addresses, objects. A distinct stack is
 * resolved once. */
#ifndef LIBEXPT_ANALYSIS_ROWS_H
#define LIBEXPT_ANALYSIS_ROWS_H

#include "libexpt/analysis/row_keys.h"

/* Returns the rows of the view, made at the first call; NULL: out of memory. */
struct expt_rows *rows_get(struct expt_view *view, enum expt_by by);
/* Make rows with those that are always there, and the total of the sums; NULL: out of
 * memory. */
struct expt_rows *rows_new(struct expt_view *view, enum expt_by by,
			   const struct stack_sums *sums);
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

#endif
