/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables in the forms of gp-display-text, which scripts read: as text, with titles
 * wrapped into three lines over columns as wide as needed; in html; with a delimiter. A
 * table is filled, then printed, perhaps in pieces, whose columns line up.
 */
#ifndef ER_PRINT_TABLE_TABLE_H
#define ER_PRINT_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "er_print/table/output.h"
#include "libexpt/base/arena.h"

enum cell_form {
	CELL_TIME,  /* nanoseconds, shown as seconds */
	CELL_COUNT, /* a number */
	CELL_TEXT,  /* aligned to the right, unless is_left */
	CELL_LINES, /* text with newlines, "\n", which are not shown in the text form */
	CELL_NAME,  /* after a mark, and a tree's branches */
};

/* The text form shows the difference from another column, or the ratio to it, instead of
 * a number. The number itself stays in the other forms, and in the cells. */
enum column_comparison { COMPARE_NOT, COMPARE_DELTA, COMPARE_RATIO };

/* Texts must outlive the table. */
struct table_column {
	const char *title; /* "Excl. Total CPU", in the text form */
	const char
		*full_title; /* "Exclusive Total CPU Time", elsewhere; NULL: the title */
	const char *group;   /* above the title: the experiment; or NULL */
	const char *unit;    /* of a text: "bytes"; or NULL */
	enum cell_form form;
	/* For times and counts: */
	bool has_value, has_percent;
	bool has_error; /* half of an interval, after the value */
	int64_t whole;	/* the value of 100 % */
	enum column_comparison comparison;
	size_t base;	 /* the number of the column that it is compared with */
	bool is_left;	 /* for texts */
	bool is_sorted;	 /* lines are ordered by it */
	bool is_implied; /* by the layout of the text form and html: not repeated there */

	size_t value_width, error_width, width; /* in text, while printing */
	const char *class_name;			/* in html */
};

struct cell {
	int64_t value;
	union {
		const char *text; /* must outlive the table */
		int64_t error;	  /* of times and counts */
	};
};

struct table_line {
	char mark;	    /* before the name: ' ', or '*' for one among its relatives */
	bool has_no_share;  /* percents are shown as zero */
	bool has_no_figure; /* times and counts are left out: a line of source */
	bool is_hot;
	bool has_next;	/* another branch of the same parent follows */
	uint32_t depth; /* in a tree */
	struct cell *cells;
};

struct table {
	struct {
		struct table_column *items;
		size_t count, capacity;
	} columns;
	struct {
		struct table_line *items;
		size_t count, capacity;
	} lines;
	struct arena arena;
	bool has_marks; /* each line begins with "## " if it is hot */
	bool is_tree;	/* lines are in preorder, their depth from table_set_branch() */
	bool is_ruled;	/* in text, "=" below titles of one line; no blank lines */

	/* State of printing. */
	bool is_begun, is_in_part;
	struct {
		bool *items;
		size_t count, capacity;
	} branches;    /* by depth: whether the line has_next */
	size_t branch; /* the line that follows those in branches */
};

struct table_column *table_add_column(struct table *table, const char *title,
				      enum cell_form form);
/* Add a line of zeroed cells, one per column; no columns may be added afterwards. */
struct cell *table_add_line(struct table *table, char mark);
/* Place the last line in the tree: below the last one of a smaller depth. */
void table_set_branch(struct table *table, uint32_t depth, bool has_next);
char *table_text(struct table *table, const char *text); /* copied to the arena */
/* Returns the text, or a copy with newlines and tabs escaped; NULL: out of memory. */
const char *table_one_line(struct table *table, const char *text);
void table_release(struct table *table);

/* Print the titles: in text each time, else once. No lines may be added afterwards. */
void table_print_header(struct table *table, struct output *output);
void table_print_lines(struct table *table, size_t first, size_t count,
		       struct output *output);
/* Print the row of '=' over the columns before the name, followed by a word. */
void table_print_rule(struct table *table, const char *word, struct output *output);
/* Print everything, but only the first lines if limit is not 0. */
void table_print(struct table *table, size_t limit, struct output *output);
/* End the table; required after each header. */
void table_end(struct table *table, struct output *output);

#endif
