/* SPDX-License-Identifier: Apache-2.0 */
/* The text form, as measured on gp-display-text. */
#include <stdio.h>
#include <string.h>

#include "er_print/table/private.h"

#define NO_MARK "   "

/* Separate columns by two blanks, one after a name. A name's mark takes a third. */
static void separate(struct strbuf *line, const struct table *table, size_t i)
{
	const struct table_column *column = &table->columns.items[i];

	if (column_is_first(table, i))
		return;
	strbuf_add_text(line, column->form != CELL_NAME && column[-1].form == CELL_NAME
				      ? " "
				      : "  ");
}

static void print_whole(struct strbuf *line, FILE *out)
{
	fwrite(strbuf_text(line), 1, line->length, out);
	putc('\n', out);
	strbuf_clear(line);
}

static void print_trimmed(struct strbuf *line, FILE *out)
{
	while (line->length > 0 && line->text[line->length - 1] == ' ')
		line->length--;
	print_whole(line, out);
}

/* number: of the line; -1 for the groups above the titles. */
static void print_titles(const struct table *table, int number, struct strbuf *line,
			 FILE *out)
{
	if (table->has_marks)
		strbuf_add_text(line, NO_MARK);
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];
		bool is_name = column->form == CELL_NAME;
		size_t start;

		if (!column_is_shown(column))
			continue;
		separate(line, table, i);
		if (is_name && !column_is_first(table, i))
			strbuf_add_char(line, ' ');
		start = line->length;
		if (number >= 0)
			add_title_line(line, column, (size_t)number);
		else if (column->group)
			strbuf_add_text(line, column->group);
		pad_to(line, start,
		       column->width + (is_name && column_is_first(table, i)));
	}
	print_trimmed(line, out);
}

/* ---- short tables: titles of one line, then a rule below each ---- */

static void add_ruled(struct strbuf *line, const struct table_column *column,
		      const char *text, bool is_last)
{
	size_t start = line->length;

	if (column_is_right(column))
		add_right(line, text, column->width);
	else
		strbuf_add_text(line, text);
	if (!is_last)
		pad_to(line, start, column->width);
	strbuf_add_char(line, ' ');
}

static void print_ruled_header(const struct table *table, FILE *out)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < table->columns.count; i++)
		add_ruled(&line, &table->columns.items[i], table->columns.items[i].title,
			  i + 1 == table->columns.count);
	print_whole(&line, out);
	for (size_t i = 0; i < table->columns.count; i++) {
		for (size_t j = 0; j < table->columns.items[i].width; j++)
			strbuf_add_char(&line, '=');
		strbuf_add_char(&line, ' ');
	}
	print_whole(&line, out);
}

static void print_ruled_line(const struct table *table, const struct table_line *row,
			     struct strbuf *line, FILE *out)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];
		const struct cell *cell = &row->cells[i];
		char number[64];

		if (column_is_number(column))
			format_number(number, sizeof(number), column, cell->value);
		add_ruled(line, column,
			  column_is_number(column) ? number
			  : cell->text		   ? cell->text
						   : "",
			  i + 1 == table->columns.count);
	}
	print_whole(line, out);
}

/* ---- all other tables ---- */

void text_header(struct table *table, struct output *output)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	bool has_groups = false;

	if (!table->is_begun)
		lay_out(table);
	if (table->is_ruled) {
		print_ruled_header(table, output->text);
		return;
	}
	for (size_t i = 0; i < table->columns.count; i++)
		has_groups = has_groups || table->columns.items[i].group;
	for (int number = has_groups ? -1 : 0; number < TITLE_LINES; number++)
		print_titles(table, number, &line, output->text);
}

/* The sign of a ratio is aligned to the left. */
static void add_value(struct strbuf *line, const struct table *table,
		      const struct table_line *row, size_t i)
{
	const struct table_column *column = &table->columns.items[i];
	size_t width = column->value_width;
	char text[64];

	format_value(text, sizeof(text), table, row, i);
	if (column->comparison == COMPARE_RATIO) {
		strbuf_add_text(line, RATIO_SIGN);
		width -= strlen(RATIO_SIGN);
	}
	add_right(line, text, width);
}

static void add_figures(struct strbuf *line, const struct table *table,
			const struct table_line *row, size_t i)
{
	const struct table_column *column = &table->columns.items[i];
	const struct cell *cell = &row->cells[i];
	char text[64];

	if (column->has_value)
		add_value(line, table, row, i);
	if (column->has_error) {
		format_error(text, sizeof(text), column, cell->error);
		add_right(line, text, column->error_width + column->has_value);
	}
	if (column->has_percent) {
		format_percent(text, sizeof(text), column, cell, row->has_no_share);
		/* Shares above 999.99 are wider. */
		if (column->has_value || column->has_error)
			strbuf_add_char(line, ' ');
		add_right(line, text, PERCENT_WIDTH);
	}
}

static void add_cell(struct strbuf *line, const struct table *table,
		     const struct table_line *row, size_t i)
{
	const struct table_column *column = &table->columns.items[i];
	const struct cell *cell = &row->cells[i];

	if (column_is_number(column)) {
		if (!row->has_no_figure)
			add_figures(line, table, row, i);
	} else if (column->form == CELL_NAME) {
		if (table->is_tree)
			add_branches(line, table, row);
		strbuf_add_text(line, cell->text ? cell->text : "");
	} else if (column->is_left) {
		strbuf_add_text(line, cell->text ? cell->text : "");
	} else {
		add_right(line, cell->text ? cell->text : "", column->value_width);
	}
}

void text_line(struct table *table, const struct table_line *row, struct output *output,
	       struct strbuf *line)
{
	if (table->is_ruled) {
		print_ruled_line(table, row, line, output->text);
		return;
	}
	if (table->has_marks)
		strbuf_add_text(line, row->is_hot ? "## " : NO_MARK);
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];
		size_t start;

		if (!column_is_shown(column))
			continue;
		separate(line, table, i);
		if (column->form == CELL_NAME)
			strbuf_add_char(line, row->mark);
		start = line->length;
		add_cell(line, table, row, i);
		if (!column_is_last(table, i))
			pad_to(line, start, column->width);
	}
	print_trimmed(line, output->text);
}

void text_rule(struct table *table, const char *word, struct output *output)
{
	for (size_t i = 0; i < table->columns.count; i++)
		if (column_is_shown(&table->columns.items[i]) &&
		    table->columns.items[i].form != CELL_NAME)
			for (size_t j = 0; j < table->columns.items[i].width + 2; j++)
				putc('=', output->text);
	fprintf(output->text, " %s\n", word);
}
