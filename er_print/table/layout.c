/* SPDX-License-Identifier: Apache-2.0 */
/* Widths of columns in the text form. */
#include <string.h>

#include "er_print/table/private.h"

static void widen(size_t *width, size_t wanted)
{
	if (*width < wanted)
		*width = wanted;
}

/* The widest number is the largest or the smallest one. */
static void measure_values(const struct table *table, size_t i)
{
	struct table_column *column = &table->columns.items[i];
	int64_t ends[2] = { INT64_MAX, INT64_MIN };
	char text[64];

	for (size_t j = 0; j < table->lines.count; j++) {
		int64_t value = table->lines.items[j].cells[i].value;

		ends[0] = value < ends[0] ? value : ends[0];
		ends[1] = value > ends[1] ? value : ends[1];
	}
	for (size_t j = 0; j < 2; j++) {
		format_number(text, sizeof(text), column,
			      table->lines.count > 0 ? ends[j] : 0);
		widen(&column->value_width, strlen(text));
	}
}

static void measure_comparison(const struct table *table, size_t i)
{
	struct table_column *column = &table->columns.items[i];
	char text[64];

	widen(&column->value_width, strlen("delta"));
	for (size_t j = 0; j < table->lines.count; j++) {
		format_value(text, sizeof(text), table, &table->lines.items[j], i);
		widen(&column->value_width, strlen(text));
	}
	if (column->comparison == COMPARE_RATIO)
		column->value_width += strlen(RATIO_SIGN);
}

static void measure_errors(const struct table *table, size_t i)
{
	struct table_column *column = &table->columns.items[i];
	int64_t error = 0;
	char text[64];

	for (size_t j = 0; j < table->lines.count; j++) {
		const struct cell *cell = &table->lines.items[j].cells[i];

		error = cell->error > error ? cell->error : error;
	}
	format_error(text, sizeof(text), column, error);
	widen(&column->error_width, columns_of_text(text));
}

static void measure_numbers(const struct table *table, size_t i)
{
	struct table_column *column = &table->columns.items[i];

	if (column->has_value && column->comparison != COMPARE_NOT)
		measure_comparison(table, i);
	else if (column->has_value)
		measure_values(table, i);
	if (column->has_error)
		measure_errors(table, i);
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
