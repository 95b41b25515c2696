/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "er_print/table/private.h"
bool column_is_number(const struct table_column *column)
{
	return column->form == CELL_TIME || column->form == CELL_COUNT;
}

bool column_is_right(const struct table_column *column)
{
	return column_is_number(column) ||
	       (column->form == CELL_TEXT && !column->is_left);
}

bool column_is_shown(const struct table_column *column)
{
	return !column->is_implied && column->form != CELL_LINES;
}

bool column_is_first(const struct table *table, size_t i)
{
	while (i > 0 && !column_is_shown(&table->columns.items[i - 1]))
		i--;
	return i == 0;
}

bool column_is_last(const struct table *table, size_t i)
{
	while (++i < table->columns.count)
		if (column_is_shown(&table->columns.items[i]))
			return false;
	return true;
}

const char *column_title(const struct table_column *column)
{
	return column->full_title ? column->full_title : column->title;
}

/* Measured: gprofng breaks at the blank that is nearest to the middle; of two, at the
 * first. */
size_t column_title_break(const char *title)
{
	size_t length = strlen(title), best = length, nearest = length;

	for (size_t i = 0; i < length; i++) {
		size_t distance = i < length / 2 ? length / 2 - i : i - length / 2;

		if (title[i] != ' ' || distance >= nearest)
			continue;
		best = i;
		nearest = distance;
	}
	return best;
}

const char *column_comparison(const struct table_column *column)
{
	static const char *const words[] = {
		[COMPARE_NOT] = "",
		[COMPARE_DELTA] = "delta ",
		[COMPARE_RATIO] = "ratio",
	};

	return words[column->comparison];
}

const char *column_unit(const struct table_column *column)
{
	if (column->comparison == COMPARE_RATIO)
		return "";
	if (column->form == CELL_TIME)
		return "(sec.)";
	return column->unit ? column->unit : "";
}

void add_branches(struct strbuf *to, const struct table *table,
		  const struct table_line *line)
{
	for (uint32_t i = 0; i < line->depth; i++)
		strbuf_add_text(to, table->branches.items[i] ? "|  " : "  ");
	strbuf_add_text(to, "+-");
}

size_t columns_of_text(const char *text)
{
	size_t columns = 0;

	/* Continuation bytes of UTF-8 take no room of their own. */
	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

static void add_blanks(struct strbuf *line, size_t count)
{
	static const char blanks[] = "                                                ";

	for (size_t length; count > 0; count -= length) {
		length = count < sizeof(blanks) - 1 ? count : sizeof(blanks) - 1;
		strbuf_add(line, blanks, length);
	}
}

void pad_to(struct strbuf *line, size_t start, size_t width)
{
	size_t columns = columns_of_text(strbuf_text(line) + start);

	if (columns < width)
		add_blanks(line, width - columns);
}

void add_right(struct strbuf *line, const char *text, size_t width)
{
	size_t columns = columns_of_text(text);

	if (columns < width)
		add_blanks(line, width - columns);
	strbuf_add_text(line, text);
}
