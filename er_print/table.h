/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables in the form of gp-display-text, which scripts read: titles wrapped into three
 * lines over columns that are as wide as needed. A table is laid out once and can be
 * printed in pieces, which then stand under each other.
 */
#ifndef ER_PRINT_TABLE_H
#define ER_PRINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "libexpt/base/arena.h"

enum cell_form {
	CELL_TIME,  /* nanoseconds, as seconds */
	CELL_COUNT, /* a number */
	CELL_TEXT,
	CELL_NAME, /* behind a mark */
};

struct table_column {
	const char *title; /* "Excl. Total CPU"; must outlive the table */
	enum cell_form form;
	bool has_value, has_percent; /* of times and counts */
	int64_t whole;		     /* what is 100 % */

	size_t value_width, width; /* set by table_lay_out() */
};

struct cell {
	int64_t value;
	const char *text; /* of texts and names; must outlive the table */
};

struct table_line {
	char mark;	   /* before the name */
	bool has_no_share; /* percents are zero */
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
/* A line of zeroed cells, one per column; no columns may be added afterwards. */
struct cell *table_add_line(struct table *table, char mark);
char *table_text(struct table *table, const char *text); /* a copy that lives as long */
void table_lay_out(struct table *table);
void table_print_header(const struct table *table, FILE *out);
void table_print_lines(const struct table *table, size_t first, size_t count, FILE *out);
/* The row of '=' over the columns before the name, with a word behind it. */
void table_print_rule(const struct table *table, const char *word, FILE *out);
void table_release(struct table *table);

/* "0.250", true zero "0."; at least 32 bytes. */
void format_seconds(char *out, size_t size, int64_t ns);

#endif
