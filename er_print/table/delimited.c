/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables with a delimiter, as gp-display-text prints them: every field in quotes; four
 * lines of titles, with the group, the two lines of the title, and the unit. Numbers are
 * exact and not padded. The mark of a line, and its depth in a tree, are fields.
 */
#include <inttypes.h>
#include <string.h>

#include "er_print/table/number_text.h"
#include "er_print/table/private.h"

/* Add a field. The lines of a text are joined as the frames of folded stacks are. */
static void add_field(struct strbuf *buffer, const struct output *output,
		      const char *text)
{
	if (buffer->length > 0)
		strbuf_add_char(buffer, output->delimiter);
	strbuf_add_char(buffer, '"');
	for (size_t length; *text; text += length) {
		length = strcspn(text, "\"\n");
		strbuf_add(buffer, text, length);
		if (text[length])
			strbuf_add_text(buffer, text[length++] == '"' ? "\"\"" : ";");
	}
	strbuf_add_char(buffer, '"');
}

static void print(struct strbuf *buffer, struct output *output)
{
	strbuf_add_char(buffer, '\n');
	fwrite(strbuf_text(buffer), 1, buffer->length, output->text);
	strbuf_clear(buffer);
}

/* ---- titles ---- */

enum title_line { GROUP, FIRST, SECOND, UNIT, LINES };

/* The fields of a column, in order. */
enum field { MARK, DEPTH, VALUE, ERROR, PERCENT, FIELDS };

static bool has_field(const struct table *table, size_t i, enum field field)
{
	const struct table_column *column = &table->columns.items[i];

	switch (field) {
	case MARK:
		return table->has_marks && i == 0;
	case DEPTH:
		return table->is_tree && column->form == CELL_NAME;
	case VALUE:
		return column->has_value;
	case ERROR:
		return column->has_error;
	case PERCENT:
		return column->has_percent;
	default:
		return false;
	}
}

static void add_own_title(struct strbuf *buffer, const struct output *output,
			  const char *title, enum title_line number)
{
	add_field(buffer, output, number == FIRST ? title : number == UNIT ? "   " : "");
}

static void add_unit(struct strbuf *buffer, const struct output *output,
		     const struct table_column *column, enum field field)
{
	char text[64];

	snprintf(text, sizeof(text), "%c  %s%s%s", column->is_sorted ? 'V' : ' ',
		 field == VALUE ? column_comparison(column) : "",
		 field == ERROR ? PLUS_MINUS : "",
		 field == PERCENT ? "%%" : column_unit(column));
	add_field(buffer, output, text);
}

static void add_title(struct strbuf *buffer, const struct output *output,
		      const struct table_column *column, enum title_line number,
		      enum field field)
{
	const char *title = column_title(column);
	size_t length = column_title_break(title);
	char first[256];

	if (number == GROUP) {
		add_field(buffer, output, column->group ? column->group : "");
	} else if (number == FIRST) {
		snprintf(first, sizeof(first), "%.*s", (int)length, title);
		add_field(buffer, output, first);
	} else if (number == SECOND) {
		add_field(buffer, output, title + length + (title[length] == ' '));
	} else {
		add_unit(buffer, output, column, field);
	}
}

static void add_titles(struct strbuf *buffer, const struct table *table, size_t i,
		       const struct output *output, enum title_line number)
{
	for (int field = 0; field < FIELDS; field++)
		if (!has_field(table, i, (enum field)field))
			continue;
		else if (field == MARK || field == DEPTH)
			add_own_title(buffer, output, field == MARK ? "Hot" : "Depth",
				      number);
		else
			add_title(buffer, output, &table->columns.items[i], number,
				  (enum field)field);
}

void delimited_header(struct table *table, struct output *output)
{
	cleanup_strbuf struct strbuf buffer = STRBUF_INIT;

	for (int number = 0; number < LINES && !table->is_begun; number++) {
		for (size_t i = 0; i < table->columns.count; i++)
			add_titles(&buffer, table, i, output, (enum title_line)number);
		print(&buffer, output);
	}
}

/* ---- lines ---- */

static void format_exact(char *out, size_t size, const struct table_column *column,
			 int64_t value)
{
	if (column->form == CELL_TIME)
		format_exact_seconds(out, size, value);
	else
		snprintf(out, size, "%" PRId64, value);
}

/* A ratio to nothing is left empty. */
static void format_ratio(char *out, size_t size, int64_t value, int64_t base)
{
	if (base != 0)
		snprintf(out, size, "%.6f", (double)value / (double)base);
	else if (value == 0)
		snprintf(out, size, "1");
}

static void format_compared(char *out, size_t size, const struct table_column *column,
			    const struct table_line *line, int64_t value)
{
	int64_t base = line->cells[column->base].value;

	if (column->comparison == COMPARE_DELTA)
		format_exact(out, size, column, figure_delta(value, base));
	else if (column->comparison == COMPARE_RATIO)
		format_ratio(out, size, value, base);
	else
		format_exact(out, size, column, value);
}

static void add_figure(struct strbuf *buffer, const struct output *output,
		       const struct table_column *column, const struct cell *cell,
		       const struct table_line *line, enum field field)
{
	char text[64] = "";

	if (line->has_no_figure)
		;
	else if (field == PERCENT)
		format_share(text, sizeof(text), line->has_no_share ? 0 : cell->value,
			     column->whole, column->form == CELL_TIME);
	else if (field == ERROR)
		format_exact(text, sizeof(text), column, cell->error);
	else
		format_compared(text, sizeof(text), column, line, cell->value);
	add_field(buffer, output, text);
}

static void add_fields(struct strbuf *buffer, const struct table *table, size_t i,
		       const struct table_line *line, const struct output *output,
		       enum field field)
{
	const struct table_column *column = &table->columns.items[i];
	const struct cell *cell = &line->cells[i];
	char text[32];

	if (!has_field(table, i, field))
		return;
	if (field == MARK) {
		add_field(buffer, output, line->is_hot ? "##" : "");
	} else if (field == DEPTH) {
		snprintf(text, sizeof(text), "%" PRIu32, line->depth);
		add_field(buffer, output, text);
	} else if (column_is_number(column)) {
		add_figure(buffer, output, column, cell, line, field);
	} else {
		add_field(buffer, output, cell->text ? cell->text : "");
	}
}

void delimited_line(struct table *table, const struct table_line *line,
		    struct output *output, struct strbuf *buffer)
{
	for (size_t i = 0; i < table->columns.count; i++)
		for (int field = 0; field < FIELDS; field++)
			add_fields(buffer, table, i, line, output, (enum field)field);
	print(buffer, output);
}
