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
