/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of the events of a view: by function and the like, by caller, by call stack. */
/* clang-format off */
#ifndef LIBEXPT_API_SUMS_H
#define LIBEXPT_API_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/objects.h"
#include "libexpt/api/records.h"
#include "libexpt/api/view.h"

EXPT_DECLARATIONS_BEGIN

/* Pointers from these functions are valid until the view changes: until an experiment is
 * added or removed. Negative results are errors, -ENOMEM above all. Data that cannot be
 * read are problems of the view. */

/* ---- rows -------------------------------------------------------------------------- */

enum expt_by {
	EXPT_BY_FUNCTION, EXPT_BY_PC, EXPT_BY_OBJECT,
	EXPT_BY_LINE,			/* of a source in a function */
	EXPT_BY_SOURCE_LINE,		/* of a source, in whatever function */
	EXPT_BY_INDEX,			/* for expt_view_index_rows() only */
	EXPT_BY_DATA,			/* for expt_view_data_rows() only */
	EXPT_BY_COUNT,
};

/* Rows that are always there: of all events; of stacks that were cut off; of those that
 * could not be unwound to their end. */
enum { EXPT_ROW_TOTAL, EXPT_ROW_TRUNCATED, EXPT_ROW_FAILED, EXPT_ROW_FIRST };

struct expt_row {
	enum expt_by by;
	const char *name;		/* of a row without function, or of an index
					 * object; or NULL */
	/* The function or object: of several founders, that of the first with the same
	 * one; of groups that are compared, one of the same name */
	const struct expt_function *function;
	const struct expt_object *object;
	uint64_t offset;		/* EXPT_BY_PC: in the function */
	/* By line; NULL and 0: addresses without a line. EXPT_BY_SOURCE_LINE has the
	 * function that was the first with this line */
	const char *path;
	uint32_t line;
	int64_t value;			/* EXPT_BY_INDEX: of the expression */
	bool is_counted;		/* one of its values is not 0 */
};

enum expt_flavor { EXPT_EXCLUSIVE, EXPT_INCLUSIVE };

struct expt_rows;

/* The rows, in the order in which they were met. */
int expt_view_rows(struct expt_view *view, enum expt_by by, struct expt_rows **rows,
		   struct expt_error *err);
/* Let parts that a compiler moved out of functions, f.cold, be rows by function of their
 * own, or count for their functions, as at first; see expt_function_whole(). A change
 * invalidates all rows. */
void expt_view_set_outlined(struct expt_view *view, bool is_outlined);
/* Let functions that were inlined be frames of their own, in rows by function and line,
 * or count for the function that they are in, as at first. The innermost one has the
 * exclusive values. A change invalidates all rows. */
void expt_view_set_inlined(struct expt_view *view, bool is_inlined);
bool expt_view_is_inlined(const struct expt_view *view);
size_t expt_rows_count(const struct expt_rows *rows);
const struct expt_row *expt_row(const struct expt_rows *rows, size_t i);
/* In the unit of the metric; 0 if it is not offered. In one group of a comparison, or in
 * all of them. */
int64_t expt_row_value(const struct expt_rows *rows, size_t i, size_t metric,
		       enum expt_flavor flavor);
int64_t expt_row_value_in(const struct expt_rows *rows, size_t i, size_t group,
			  size_t metric, enum expt_flavor flavor);
/* Half of the interval around a sampled value that holds the true one in 95 % of all
 * recordings; 0 for metrics that are counted. */
double expt_row_error(const struct expt_rows *rows, size_t i, size_t group, size_t metric,
		      enum expt_flavor flavor);
/* How a sampled value of a group differs from that of group 0. */
struct expt_difference {
	double value;
	double error;	/* half of its 95 % interval */
	/* The probability of as large a one, or larger, between two recordings of the
	 * same; 1 for metrics that are counted. */
	double chance;
};
void expt_row_difference(const struct expt_rows *rows, size_t i, size_t group,
			 size_t metric, enum expt_flavor flavor,
			 struct expt_difference *difference);
/* The numbers of the rows that are counted, largest value first: an array of
 * expt_rows_count() numbers to fill. Returns how many they are, with <Total>. */
size_t expt_rows_sort(const struct expt_rows *rows, size_t metric,
		      enum expt_flavor flavor, uint32_t *numbers);

/* ---- callers and callees ----------------------------------------------------------- */

/* An event counts once for each function on its stack, at the occurrence nearest to the
 * leaf; the caller and the callee of that occurrence get its value. The roots are callees
 * of <Total>. */
enum expt_side { EXPT_CALLERS, EXPT_CALLEES };

struct figures;
struct expt_neighbours;
struct expt_neighbour {
	uint32_t row;
	const struct figures *figures;	/* for expt_neighbour_value() */
};

int expt_neighbours_find(struct expt_neighbours **out, struct expt_rows *rows,
			 struct expt_error *err);
void expt_neighbours_free(struct expt_neighbours *neighbours);
/* The neighbours of a row on a side; returns their count. */
size_t expt_neighbours(const struct expt_neighbours *neighbours, size_t row,
		       enum expt_side side, const struct expt_neighbour **list);
int64_t expt_neighbour_value(const struct expt_rows *rows,
			     const struct expt_neighbour *neighbour, size_t group,
			     size_t metric);

/* The same of a fragment of stacks: count rows, each the callee of the one before it. An
 * event counts once for each fragment on its stack that is nearest to the leaf. */
struct expt_fragment;
int expt_fragment_find(struct expt_fragment **out, struct expt_rows *rows,
		       const uint32_t *fragment, size_t count, struct expt_error *err);
void expt_fragment_free(struct expt_fragment *fragment);
/* Callers of the first row, or callees of the last. */
size_t expt_fragment_neighbours(const struct expt_fragment *fragment, enum expt_side side,
				const struct expt_neighbour **list);
/* Exclusive: of stacks whose leaf is the last row. */
int64_t expt_fragment_value(const struct expt_fragment *fragment, size_t group,
			    size_t metric, enum expt_flavor flavor);

/* ---- the tree of calls ------------------------------------------------------------- */

/* All call paths: node 0 is <Total>, and parents precede their children. */
struct expt_tree;
struct expt_tree_node {
	uint32_t row;
	uint32_t parent, depth;		/* 0 for <Total> itself */
	uint32_t first_child, next;	/* child of the same parent; 0: none */
};
int expt_tree_make(struct expt_tree **out, struct expt_rows *rows,
		   struct expt_error *err);
void expt_tree_free(struct expt_tree *tree);
size_t expt_tree_count(const struct expt_tree *tree);
const struct expt_tree_node *expt_tree_node(const struct expt_tree *tree, size_t i);
/* The value of all paths that begin with those to the node. */
int64_t expt_tree_value(const struct expt_tree *tree, size_t i, size_t group,
			size_t metric);

/* ---- call stacks ------------------------------------------------------------------- */

/* Stacks that look the same, with the events of one kind of data; in the order in which
 * they were met. apart: those of different experiments are not the same. */
struct expt_traces;
int expt_traces_find(struct expt_traces **out, struct expt_view *view,
		     enum expt_data data, bool apart, struct expt_error *err);
void expt_traces_free(struct expt_traces *traces);
size_t expt_traces_count(const struct expt_traces *traces);
int64_t expt_trace_value(const struct expt_traces *traces, size_t i, size_t metric);
uint64_t expt_trace_uid(const struct expt_traces *traces, size_t i);	/* of the first */

struct expt_frames {
	const struct expt_place *places;	/* leaf first, without a PLT stub there */
	size_t count;
	enum expt_stack_end end;
};
/* The frames of a trace, valid until the next call; none if they are not known. */
int expt_trace_frames(struct expt_traces *traces, size_t i, struct expt_frames *frames,
		      struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
