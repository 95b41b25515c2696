/* SPDX-License-Identifier: Apache-2.0 */
/* Filters, which choose the events of a view, and index objects, which sum them up. */
/* clang-format off */
#ifndef LIBEXPT_API_FILTER_H
#define LIBEXPT_API_FILTER_H

#include "libexpt/api/sums.h"

EXPT_DECLARATIONS_BEGIN

/* ---- filters ----------------------------------------------------------------------- */

/* Keep only the events for which an expression is not 0; see er_print(1). NULL: all. The
 * sums are made again when they are next asked for, and rows become invalid. -EINVAL: the
 * message begins with the column; the filter stays as it was. */
int expt_view_set_filter(struct expt_view *view, const char *text,
			 struct expt_error *err);
const char *expt_view_filter(const struct expt_view *view);	/* NULL: all */

/* Selections of numbers, all of which apply besides the filter: "1-4,7", or after the
 * numbers of experiments "1:1-4+2:7". NULL or "all": all. */
enum expt_subset {
	EXPT_SAMPLES, EXPT_LWPS, EXPT_THREADS, EXPT_CPUS,
	EXPT_SUBSET_COUNT,
};
int expt_view_select(struct expt_view *view, enum expt_subset subset, const char *list,
		     struct expt_error *err);
/* Whether there is a selection, and whether it names numbers of the experiment i. */
bool expt_view_is_selected(const struct expt_view *view, enum expt_subset subset);
bool expt_view_selects_any(const struct expt_view *view, enum expt_subset subset,
			   size_t i);
/* Whether a number of the experiment i is selected. CPUs that no event occurred on are
 * not. */
bool expt_view_selects(const struct expt_view *view, enum expt_subset subset, size_t i,
		       uint64_t number);

/* A word of expressions; see er_print(1). */
struct expt_word {
	const char *name, *title;
};
size_t expt_word_count(void);
struct expt_word expt_word(size_t i);

/* ---- index objects ----------------------------------------------------------------- */

/* Types of objects that events belong to by the value of an expression: threads, seconds
 * and the like. A view has some from the start. */
struct expt_index_type {
	const char *name, *expression;
	bool is_memory;			/* objects of the memory system: pages, lines */
};
size_t expt_index_type_count(const struct expt_view *view);
const struct expt_index_type *expt_index_type(const struct expt_view *view, size_t i);
/* -EINVAL: the name is not made of letters, digits and '_', or the expression is wrong;
 * -EEXIST: the name has a meaning already. */
int expt_index_type_define(struct expt_view *view, const char *name,
			   const char *expression, bool is_memory,
			   struct expt_error *err);
/* The number of a type, or EXPT_INDEX_NONE. Case does not matter. */
#define EXPT_INDEX_NONE SIZE_MAX
size_t expt_index_type_find(const struct expt_view *view, const char *name);

/* The objects of a type as rows, valid until the view or its filter changes. Their
 * inclusive values are the exclusive ones. */
int expt_view_index_rows(struct expt_view *view, size_t type, struct expt_rows **rows,
			 struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
