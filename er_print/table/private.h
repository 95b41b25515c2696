/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of tables, and what they have in common. */
#ifndef ER_PRINT_TABLE_PRIVATE_H
#define ER_PRINT_TABLE_PRIVATE_H

#include "er_print/table/table.h"

/* ---- the forms: text.c, html.c, delimited.c ---- */

void text_header(struct table *table, struct output *output);
void text_line(struct table *table, const struct table_line *row, struct output *output,
	       struct strbuf *line);
void text_rule(struct table *table, const char *word, struct output *output);

void html_header(struct table *table, struct output *output);
void html_line(struct table *table, const struct table_line *row, struct output *output,
	       struct strbuf *line);
void html_rule(struct table *table, const char *word, struct output *output);
void html_end(struct table *table, struct output *output);

void delimited_header(struct table *table, struct output *output);
void delimited_line(struct table *table, const struct table_line *row,
		    struct output *output, struct strbuf *line);

/* ---- columns, and texts in lines: parts.c ---- */

#define PLUS_MINUS "±"

bool column_is_number(const struct table_column *column);
bool column_is_right(const struct table_column *column); /* aligned to the right */
/* In the text form: whether it is shown, and is the first or last such column. */
bool column_is_shown(const struct table_column *column);
bool column_is_first(const struct table *table, size_t i);
bool column_is_last(const struct table *table, size_t i);
const char *column_title(const struct table_column *column); /* the full one */
/* Returns the length of the first of the two lines of a title. */
size_t column_title_break(const char *title);
/* Returns what the values are in a comparison: "delta ", to precede the unit, "ratio", or
 * "". */
const char *column_comparison(const struct table_column *column);
/* Returns "(sec.)", the unit of a text, or "". */
const char *column_unit(const struct table_column *column);
/* Add the branches before the name of a line: "  |  +-". */
void add_branches(struct strbuf *to, const struct table *table,
		  const struct table_line *row);

#define RATIO_SIGN "x "

size_t columns_of_text(const char *text);
/* Add the text, aligned to the right, or blanks after the text that begins at start. */
void add_right(struct strbuf *line, const char *text, size_t width);
void pad_to(struct strbuf *line, size_t start, size_t width);

/* ---- figures for people, rounded: figures.c ---- */

#define PERCENT_WIDTH 6

/* A zero time keeps its point below the other points. */
void format_number(char *out, size_t size, const struct table_column *column,
		   int64_t value);
/* The number of a line's i-th column; in a comparison, "+0.250" or "1.250". */
void format_value(char *out, size_t size, const struct table *table,
		  const struct table_line *row, size_t i);
/* Returns value - base, or the nearest number. */
int64_t figure_delta(int64_t value, int64_t base);
void format_error(char *out, size_t size, const struct table_column *column,
		  int64_t error);
void format_percent(char *out, size_t size, const struct table_column *column,
		    const struct cell *cell, bool has_no_share);

/* ---- the text form: layout.c, titles.c ---- */

void lay_out(struct table *table);

#define TITLE_LINES 3

/* Returns the smallest width at which the title, with its unit, fits its lines. */
size_t title_width(const struct table_column *column);
void add_title_line(struct strbuf *line, const struct table_column *column,
		    size_t number);

#endif
