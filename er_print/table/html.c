/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in html. Each cell has the classes of its column: that of the title, and that of
 * the form, by which the document's style aligns it. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "er_print/table/private.h"

static void print(struct strbuf *line, struct output *output)
{
	fwrite(strbuf_text(line), 1, line->length, output_markup(output));
	strbuf_clear(line);
}

static void add_escaped(struct strbuf *line, const char *text)
{
	output_escape_html(line, text, strlen(text));
}

/* Add a text with its lines, if it has several. */
static void add_lines(struct strbuf *line, const char *text)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		output_escape_html(line, text, (size_t)(end - text));
		strbuf_add_text(line, "<br>");
	}
	add_escaped(line, text);
}

/* ---- classes ---- */

/* Make "exclusive-total-cpu-time" of "Exclusive Total CPU Time". */
static void add_class(struct strbuf *text, const char *title)
{
	size_t start = text->length;

	for (; *title; title++)
		if (isalnum((unsigned char)*title))
			strbuf_add_char(text, (char)tolower((unsigned char)*title));
		else if (text->length > start && text->text[text->length - 1] != '-')
			strbuf_add_char(text, '-');
	if (text->length > start && text->text[text->length - 1] == '-')
		text->length--;
}

/* Make "exclusive-total-cpu-time time sorted". */
static char *class_of(struct table *table, const struct table_column *column)
{
	static const char *const forms[] = {
		[CELL_TIME] = "time",	[CELL_COUNT] = "count", [CELL_TEXT] = "text",
		[CELL_LINES] = "lines", [CELL_NAME] = "name",
	};
	bool is_right = column->form == CELL_TEXT && !column->is_left;
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	add_class(&text, column_title(column));
	if (text.length > 0 && column->form != CELL_NAME)
		strbuf_add_char(&text, ' ');
	if (text.length == 0 || column->form != CELL_NAME)
		strbuf_add_text(&text, forms[column->form]);
	strbuf_printf(&text, "%s%s", is_right ? " right" : "",
		      column->is_sorted ? " sorted" : "");
	return arena_text(&table->arena, strbuf_text(&text), text.length);
}

static void set_classes(struct table *table)
{
	for (size_t i = 0; i < table->columns.count; i++)
		table->columns.items[i].class_name =
			class_of(table, &table->columns.items[i]);
}

static void add_open(struct strbuf *line, const char *tag,
		     const struct table_column *column, const char *part)
{
	strbuf_add_char(line, '<');
	strbuf_add_text(line, tag);
	strbuf_add_text(line, " class=\"");
	strbuf_add_text(line, column->class_name ? column->class_name : "");
	strbuf_add_text(line, part);
	strbuf_add_char(line, '"');
}

/* ---- titles ---- */

static int parts_of(const struct table_column *column)
{
	return column_is_number(column)
		       ? column->has_value + column->has_error + column->has_percent
		       : 1;
}

static void add_title(struct strbuf *line, const struct table_column *column,
		      const char *text)
{
	if (column->is_implied)
		return;
	add_open(line, "th", column, "");
	if (parts_of(column) > 1)
		strbuf_printf(line, " colspan=\"%d\"", parts_of(column));
	strbuf_add_char(line, '>');
	add_escaped(line, text);
	strbuf_add_text(line, "</th>");
}

static void add_unit(struct strbuf *line, const struct table_column *column,
		     const char *part, const char *unit)
{
	add_open(line, "th", column, part);
	strbuf_add_char(line, '>');
	if (!*part)
		add_escaped(line, column_comparison(column));
	add_escaped(line, unit);
	strbuf_add_text(line, "</th>");
}

static void add_units(struct strbuf *line, const struct table_column *column)
{
	if (column->is_implied)
		return;
	if (!column_is_number(column) || column->has_value)
		add_unit(line, column, "", column_unit(column));
	if (column->has_error)
		add_unit(line, column, " error", PLUS_MINUS);
	if (column->has_percent)
		add_unit(line, column, " percent", "(%)");
}

enum title_row { GROUPS, TITLES, UNITS, TITLE_ROWS };

/* Check whether the row would say anything. */
static bool has_row(const struct table *table, enum title_row row)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];

		if (row == TITLES || (row == GROUPS && column->group) ||
		    (row == UNITS && (*column_unit(column) || parts_of(column) > 1)))
			return true;
	}
	return false;
}

static void add_row(struct strbuf *line, const struct table *table, enum title_row row)
{
	strbuf_add_text(line, table->has_marks ? "<tr><th></th>" : "<tr>");
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];

		if (row == UNITS)
			add_units(line, column);
		else if (row == TITLES)
			add_title(line, column, column_title(column));
		else
			add_title(line, column, column->group ? column->group : "");
	}
	strbuf_add_text(line, "</tr>\n");
}

static void print_titles(struct table *table, struct output *output)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;

	strbuf_add_text(&line, "<table>\n<thead>\n");
	for (int row = 0; row < TITLE_ROWS; row++)
		if (has_row(table, (enum title_row)row))
			add_row(&line, table, (enum title_row)row);
	strbuf_add_text(&line, "</thead>\n");
	print(&line, output);
}

/* ---- parts ---- */

static void end_part(struct table *table, struct output *output)
{
	if (table->is_in_part)
		fputs("</tbody>\n", output_markup(output));
	table->is_in_part = false;
}

static void begin_part(struct table *table, struct output *output)
{
	end_part(table, output);
	fputs("<tbody>\n", output_markup(output));
	table->is_in_part = true;
}

/* Titles at the beginning; then a new part without them. */
void html_header(struct table *table, struct output *output)
{
	if (table->is_begun) {
		end_part(table, output);
		return;
	}
	set_classes(table);
	print_titles(table, output);
}

void html_rule(struct table *table, const char *word, struct output *output)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	int columns = table->has_marks;

	for (size_t i = 0; i < table->columns.count; i++)
		if (!table->columns.items[i].is_implied)
			columns += parts_of(&table->columns.items[i]);
	begin_part(table, output);
	strbuf_printf(&line, "<tr><th colspan=\"%d\">", columns);
	add_escaped(&line, word);
	strbuf_add_text(&line, "</th></tr>\n");
	print(&line, output);
}

void html_end(struct table *table, struct output *output)
{
	end_part(table, output);
	fputs("</table>\n", output_markup(output));
}

/* ---- lines ---- */

static void add_figure(struct strbuf *line, const struct table_column *column,
		       const char *part, const char *text)
{
	add_open(line, "td", column, part);
	strbuf_add_char(line, '>');
	strbuf_add_text(line, text);
	strbuf_add_text(line, "</td>");
}

static void add_figures(struct strbuf *line, const struct table *table,
			const struct table_line *row, size_t i)
{
	const struct table_column *column = &table->columns.items[i];
	const struct cell *cell = &row->cells[i];
	char text[64] = "";

	if (column->has_value) {
		if (!row->has_no_figure)
			format_value(text, sizeof(text), table, row, i);
		add_figure(line, column, "", text);
	}
	if (column->has_error) {
		if (!row->has_no_figure)
			format_error(text, sizeof(text), column, cell->error);
		add_figure(line, column, " error", text);
	}
	if (column->has_percent) {
		if (!row->has_no_figure)
			format_percent(text, sizeof(text), column, cell,
				       row->has_no_share);
		add_figure(line, column, " percent", text);
	}
}

static void add_text(struct strbuf *line, const struct table *table,
		     const struct table_line *row, const struct table_column *column,
		     const char *text)
{
	add_open(line, "td", column, "");
	strbuf_add_char(line, '>');
	if (column->form == CELL_NAME && table->is_tree)
		add_branches(line, table, row);
	if (column->form == CELL_LINES)
		add_lines(line, text);
	else
		add_escaped(line, text);
	strbuf_add_text(line, "</td>");
}

void html_line(struct table *table, const struct table_line *row, struct output *output,
	       struct strbuf *line)
{
	if (!table->is_in_part)
		begin_part(table, output);
	strbuf_add_text(line, row->is_hot	 ? "<tr class=\"hot\">"
			      : row->mark == '*' ? "<tr class=\"self\">"
						 : "<tr>");
	if (table->has_marks)
		strbuf_add_text(line, row->is_hot ? "<td>##</td>" : "<td></td>");
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];
		const struct cell *cell = &row->cells[i];

		if (column->is_implied)
			continue;
		if (column_is_number(column))
			add_figures(line, table, row, i);
		else
			add_text(line, table, row, column, cell->text ? cell->text : "");
	}
	strbuf_add_text(line, "</tr>\n");
	print(line, output);
}
