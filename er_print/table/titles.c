/* SPDX-License-Identifier: Apache-2.0 */
/* Titles of columns in the text form, wrapped as measured on gp-display-text. */
#include <string.h>

#include "er_print/table/private.h"

struct title {
	struct {
		const char *text;
		size_t length;
	} lines[TITLE_LINES + 1];
	size_t count; /* more than TITLE_LINES: does not fit */
};

/* Break a title at blanks into lines of at most width; a longer word does not fit. */
static struct title wrap(const char *text, size_t width)
{
	struct title title = { 0 };

	while (*text) {
		size_t length = 0;

		for (size_t i = 1;; i++) {
			if (text[i] && text[i] != ' ')
				continue;
			if (i > width)
				break;
			length = i;
			if (!text[i])
				break;
		}
		if (length == 0 || title.count == TITLE_LINES) {
			title.count = TITLE_LINES + 1;
			return title;
		}
		title.lines[title.count].text = text;
		title.lines[title.count++].length = length;
		text += length + (text[length] == ' ');
	}
	return title;
}

static const char *unit_of(const struct table_column *column)
{
	if (!column->has_value)
		return "";
	if (column->comparison != COMPARE_NOT)
		return column->comparison == COMPARE_DELTA ? "delta" : "ratio";
	return column->form == CELL_TIME ? "sec." : "";
}

/* Check whether the third line is for units, because a column has several figures. */
static bool has_parts(const struct table_column *column)
{
	return column->has_percent || column->has_error ||
	       (column->has_value && column->comparison != COMPARE_NOT);
}

/* Above several figures, the title has only two lines. */
size_t title_width(const struct table_column *column)
{
	size_t lines = has_parts(column) ? TITLE_LINES - 1 : TITLE_LINES;
	bool has_unit = *unit_of(column) && !has_parts(column);
	size_t width = 1;
	char text[192];

	snprintf(text, sizeof(text), "%s%s%s", column->title, has_unit ? " " : "",
		 has_unit ? unit_of(column) : "");
	while (wrap(text, width).count > lines)
		width++;
	return width;
}

/* Add the third line: the rest of the title, or else the units above their numbers. */
static void add_unit_line(struct strbuf *line, const struct table_column *column,
			  const struct title *title)
{
	const char *unit = unit_of(column);

	if (title->count == TITLE_LINES) {
		strbuf_add(line, title->lines[2].text, title->lines[2].length);
		if (*unit)
			strbuf_printf(line, " %s", unit);
		return;
	}
	if (column->has_value)
		add_right(line, unit, column->value_width);
	if (column->has_error)
		add_right(line, PLUS_MINUS, column->error_width + 1);
	if (column->has_percent)
		add_right(line, "%", PERCENT_WIDTH + column->has_value);
}

void add_title_line(struct strbuf *line, const struct table_column *column, size_t number)
{
	struct title title;

	if (!column_is_number(column)) {
		if (number == 0)
			strbuf_add_text(line, column->title);
		return;
	}
	title = wrap(column->title, column->width);
	if (number == TITLE_LINES - 1)
		add_unit_line(line, column, &title);
	else if (number < title.count)
		strbuf_add(line, title.lines[number].text, title.lines[number].length);
}
