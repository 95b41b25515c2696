/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables in the form of gp-display-text, which scripts read: titles wrapped into three
 * lines over columns as wide as needed. A table is laid out once and can be printed in
 * pieces, whose columns then line up.
 */
#ifndef ER_PRINT_TABLE_H
#define ER_PRINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "libexpt/base/arena.h"

enum cell_form {
	CELL_TIME,  /* nanoseconds, shown as seconds */
	CELL_COUNT, /* a number */
	CELL_TEXT,
	CELL_NAME, /* after a mark */
};

struct table_column {
	const char *title; /* "Excl. Total CPU"; must outlive the table */
	enum cell_form form;
	bool has_value, has_percent; /* for times and counts */
	int64_t whole;		     /* the value of 100 % */

	size_t value_width, width; /* set by table_lay_out() */
};

struct cell {
	int64_t value;
	const char *text; /* for texts and names; must outlive the table */
};

struct table_line {
	char mark;	   /* before the name */
	bool has_no_share; /* percents are shown as zero */
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
};

struct table_column *table_add_column(struct table *table, const char *title,
				      enum cell_form form);
/* Add a line of zeroed cells, one per column; no columns may be added afterwards. */
struct cell *table_add_line(struct table *table, char mark);
char *table_text(struct table *table, const char *text); /* copied to the arena */
void table_lay_out(struct table *table);
void table_print_header(const struct table *table, FILE *out);
void table_print_lines(const struct table *table, size_t first, size_t count, FILE *out);
/* Print the row of '=' over the columns before the name, followed by a word. */
void table_print_rule(const struct table *table, const char *word, FILE *out);
void table_release(struct table *table);

/* Format "0.250", true zero as "0."; out has at least 32 bytes. */
void format_seconds(char *out, size_t size, int64_t ns);

#endif
