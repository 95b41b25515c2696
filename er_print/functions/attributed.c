/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/functions/attributed.h"

#include <stdio.h>

#include "er_print/session/metric_print.h"
#include "libexpt/base/array.h"
#include "libexpt/base/number.h"

static bool add_implied_column(struct table *table, const char *title)
{
	struct table_column *column = table_add_column(table, title, CELL_TEXT);

	if (column)
		column->is_implied = column->is_left = true;
	return column;
}

bool attributed_add_relation(struct attributed *attributed)
{
	return add_implied_column(&attributed->table, "Relation") &&
	       add_implied_column(&attributed->table, "Function");
}

bool attributed_add_columns(struct session *session, struct attributed *attributed)
{
	struct metric_list list;

	metrics_of_table(&session->metrics, METRICS_OF_CALLERS, &list);
	for (size_t i = 0; i < list.count; i++)
		if (!shown_columns_add(session, &attributed->columns, &list.columns[i]))
			return false;
	return rows_add_columns(session, &attributed->table, attributed->rows,
				attributed->columns.items, attributed->columns.count);
}

void attributed_release(struct attributed *attributed)
{
	table_release(&attributed->table);
	array_release(&attributed->columns);
}

bool attributed_add_line(struct attributed *attributed, const struct row_list *list,
			 const struct shown_row *shown, char mark, const char *relation,
			 const char *center)
{
	struct table *table = &attributed->table;
	struct cell *cells;

	if (!rows_add_line(list, table, attributed->columns.items,
			   attributed->columns.count, shown, mark))
		return false;
	if (!relation)
		return true;
	cells = table->lines.items[table->lines.count - 1].cells;
	cells[attributed->columns.count].text = relation;
	cells[attributed->columns.count + 1].text = center;
	return true;
}

static bool add_neighbours(struct session *session, struct row_list *list,
			   const struct expt_neighbour *neighbours, size_t count,
			   struct arena *names)
{
	for (size_t i = 0; i < count; i++) {
		struct shown_row *shown =
			row_list_add(session, list, neighbours[i].row, names);

		if (!shown)
			return false;
		shown->neighbour = &neighbours[i];
	}
	row_list_sort(session, list);
	return true;
}

int attributed_add_side(struct session *session, struct attributed *attributed,
			enum expt_side side, const struct expt_neighbour *neighbours,
			size_t count, const char *center)
{
	struct row_list list = { .rows = attributed->rows };
	bool is_good = add_neighbours(session, &list, neighbours, count,
				      &attributed->table.arena);

	for (size_t i = 0; i < list.count && is_good; i++)
		is_good = attributed_add_line(attributed, &list, &list.items[i], ' ',
					      side == EXPT_CALLERS ? "caller" : "callee",
					      center);
	array_release(&list);
	return is_good ? (int)count : -1;
}

int64_t attributed_sum(const struct attributed *attributed,
		       const struct expt_neighbour *neighbours, size_t count,
		       const struct metric_column *column)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		add_saturated(&sum, expt_neighbour_value(attributed->rows, &neighbours[i],
							 column->group, column->metric));
	return sum;
}
