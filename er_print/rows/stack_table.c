/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/rows/stack_table.h"

bool stack_table_add_columns(struct table *table, const struct stack_column *columns)
{
	for (; columns->title; columns++) {
		struct table_column *new =
			table_add_column(table, columns->title, columns->form);

		if (!new)
			return false;
		new->is_sorted = columns->is_sorted;
	}
	return table_add_column(table, "Stack", CELL_LINES);
}

bool stack_table_add_line(struct table *table, const char *name, const int64_t *values,
			  const struct strbuf *frames)
{
	size_t length = frames->length > 0 ? frames->length - 1 : 0, last;
	struct cell *cells = table_add_line(table, ' ');

	if (!cells || frames->failed)
		return false;
	last = table->columns.count - 1;
	for (size_t i = 0; i < last; i++)
		if (table->columns.items[i].form == CELL_NAME)
			cells[i].text = name;
		else
			cells[i].value = *values++;
	cells[last].text = arena_text(&table->arena, strbuf_text(frames), length);
	return cells[last].text;
}
