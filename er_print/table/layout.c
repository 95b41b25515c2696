/* SPDX-License-Identifier: Apache-2.0 */
/* Widths of columns in the text form. */
#include <string.h>

#include "er_print/table/private.h"

static void widen(size_t *width, size_t wanted)
{
	if (*width < wanted)
		*width = wanted;
}

/* Measure the largest and the smallest number: one of them is the widest. */
static void measure_numbers(const struct table *table, size_t i)
{
	struct table_column *column = &table->columns.items[i];
	int64_t least = 0, most = 0, error = 0;
	char text[64];

	for (size_t j = 0; j < table->lines.count; j++) {
		const struct cell *cell = &table->lines.items[j].cells[i];

		least = j == 0 || cell->value < least ? cell->value : least;
		most = j == 0 || cell->value > most ? cell->value : most;
		error = cell->error > error ? cell->error : error;
	}
	if (column->has_value) {
		format_number(text, sizeof(text), column, least);
		widen(&column->value_width, columns_of_text(text));
		format_number(text, sizeof(text), column, most);
		widen(&column->value_width, columns_of_text(text));
	}
	if (column->has_error) {
		format_error(text, sizeof(text), column, error);
		widen(&column->error_width, columns_of_text(text));
	}
	column->width = column->value_width;
	if (column->has_error)
		column->width += column->error_width + column->has_value;
	if (column->has_percent)
		column->width += PERCENT_WIDTH + (column->width > 0);
}

/* Branches are as wide as the deepest line has them, at most. */
static size_t branches_width(const struct table *table, const struct table_line *line)
{
	return table->is_tree ? 3 * (size_t)line->depth + strlen("+-") : 0;
}

static void measure_texts(const struct table *table, size_t i)
{
	struct table_column *column = &table->columns.items[i];
	bool has_branches = column->form == CELL_NAME;

	/* A name in the last column is never padded. */
	for (size_t j = 0; j < table->lines.count; j++) {
		const struct table_line *line = &table->lines.items[j];
		const char *text = line->cells[i].text;
		size_t width = text ? columns_of_text(text) : 0;

		widen(&column->value_width,
		      width + (has_branches ? branches_width(table, line) : 0));
	}
	column->width = column->value_width;
}

void lay_out(struct table *table)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		struct table_column *column = &table->columns.items[i];
		bool is_last = column_is_last(table, i);

		column->value_width = column->error_width = column->width = 0;
		if (column_is_number(column))
			measure_numbers(table, i);
		else if (!is_last || column_is_right(column) || table->is_ruled)
			measure_texts(table, i);
		widen(&column->width, column_is_number(column) && !table->is_ruled
					      ? title_width(column)
					      : columns_of_text(column->title));
		if (column->group)
			widen(&column->width, columns_of_text(column->group));
	}
}
