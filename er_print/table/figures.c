/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "er_print/table/number_text.h"
#include "er_print/table/private.h"

void format_number(char *out, size_t size, const struct table_column *column,
		   int64_t value)
{
	if (column->form == CELL_COUNT)
		snprintf(out, size, "%" PRId64, value);
	else if (value == 0)
		strcpy(out, "0.   ");
	else
		format_seconds(out, size, value);
}

int64_t figure_delta(int64_t value, int64_t base)
{
	int64_t delta;

	if (__builtin_sub_overflow(value, base, &delta) || delta == INT64_MIN)
		return value < base ? -INT64_MAX : INT64_MAX;
	return delta;
}

static void format_delta(char *out, size_t size, const struct table_column *column,
			 int64_t value, int64_t base)
{
	int64_t delta = figure_delta(value, base);

	*out = delta < 0 ? '-' : '+';
	format_number(out + 1, size - 1, column, delta < 0 ? -delta : delta);
}

#define RATIO_MAX 99.999

static void format_ratio(char *out, size_t size, int64_t value, int64_t base)
{
	double ratio = base ? (double)value / (double)base : value ? RATIO_MAX + 1 : 1.0;

	if (ratio == 0.0)
		strcpy(out, "0.   ");
	else if (ratio > RATIO_MAX)
		snprintf(out, size, ">%.3f", RATIO_MAX);
	else
		snprintf(out, size, "%.3f", ratio);
}

void format_value(char *out, size_t size, const struct table *table,
		  const struct table_line *row, size_t i)
{
	const struct table_column *column = &table->columns.items[i];
	int64_t value = row->cells[i].value, base = row->cells[column->base].value;

	if (column->comparison == COMPARE_DELTA)
		format_delta(out, size, column, value, base);
	else if (column->comparison == COMPARE_RATIO)
		format_ratio(out, size, value, base);
	else
		format_number(out, size, column, value);
}

void format_error(char *out, size_t size, const struct table_column *column,
		  int64_t error)
{
	strcpy(out, PLUS_MINUS);
	format_number(out + strlen(PLUS_MINUS), size - strlen(PLUS_MINUS), column, error);
}

void format_percent(char *out, size_t size, const struct table_column *column,
		    const struct cell *cell, bool has_no_share)
{
	format_share(out, size, has_no_share ? 0 : cell->value, column->whole,
		     column->form == CELL_TIME);
	if (strcmp(out, "0.") == 0)
		strcpy(out, "0.  ");
}
