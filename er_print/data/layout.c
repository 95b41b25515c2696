/* SPDX-License-Identifier: Apache-2.0 */
/* The members of aggregates in the order of their offsets. */
#include <inttypes.h>
#include <stdlib.h>

#include "er_print/data/private.h"
#include "er_print/rows/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/base/strbuf.h"

#define BLOCK_SIZE 64 /* bytes that processors fetch together */

/* Returns the mark of bytes in blocks that begin with the aggregate. */
static char mark_of(uint64_t offset, uint64_t size)
{
	uint64_t end = offset + size;

	if (size > 0 && offset / BLOCK_SIZE != (end - 1) / BLOCK_SIZE)
		return size > BLOCK_SIZE ? '#' : '?';
	if (offset % BLOCK_SIZE == 0)
		return size > 0 && end % BLOCK_SIZE == 0 ? '<' : '/';
	return size > 0 && end % BLOCK_SIZE == 0 ? '\\' : '|';
}

/* A line of the table, before it is added. */
struct line {
	uint32_t row; /* EXPT_ROW_TOTAL: without events */
	uint64_t offset, size;
	unsigned depth;
	const char *name;
};

static bool add_name(struct table *table, const struct line *line, struct cell *cell)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%c %6" PRIu64 " %6" PRIu64 " %*s%s",
		      mark_of(line->offset, line->size), line->offset, line->size,
		      (int)(line->depth < 16 ? line->depth : 16) * 2, "", line->name);
	cell->text = text.failed ? NULL : table_text(table, strbuf_text(&text));
	return cell->text;
}

static bool add_line(struct session *session, const struct expt_rows *rows,
		     struct table *table, const struct line *line)
{
	const struct metric_list *metrics = &session->data_metrics;
	struct cell *cells = table_add_line(table, ' ');

	for (size_t i = 0; cells && i < metrics->count; i++) {
		const struct metric_column *column = &metrics->columns[i];

		if (column->kind == COLUMN_NAME) {
			if (!add_name(table, line, &cells[i]))
				return false;
		} else if (column->kind == COLUMN_METRIC && line->row != EXPT_ROW_TOTAL) {
			cells[i].value = expt_row_value(rows, line->row, column->metric,
							EXPT_EXCLUSIVE);
		}
	}
	return cells;
}

static bool add_aggregate(struct session *session, struct expt_rows *rows,
			  struct table *table, uint32_t row)
{
	const struct expt_datum *datum = expt_row_datum(rows, row);
	const struct expt_data_member *members;
	size_t count = expt_data_layout(rows, row, &members);
	struct line line = { .row = row, .size = datum->size, .name = datum->descriptor };

	if (!add_line(session, rows, table, &line))
		return false;
	for (size_t i = 0; i < count; i++) {
		line = (struct line){
			.row = members[i].row,
			.offset = members[i].offset,
			.size = members[i].size,
			.depth = members[i].depth + 1,
			.name = members[i].element ? members[i].element
						   : "(Padding in structure)",
		};
		if (!add_line(session, rows, table, &line))
			return false;
	}
	return true;
}

/* Only the outermost aggregates have a layout of their own. */
static bool is_outermost(const struct expt_rows *rows, uint32_t row)
{
	return row >= EXPT_DATA_FIRST && expt_row_datum(rows, row)->is_aggregate &&
	       expt_row_datum(rows, row)->container == EXPT_ROW_TOTAL;
}

static bool print_list(struct session *session, struct row_list *list)
{
	struct table table = { 0 };
	struct shown_columns columns = { 0 };
	size_t shown = 0;
	bool is_good = shown_columns_all(session, &columns) &&
		       rows_add_columns(session, &table, list->rows, columns.items,
					columns.count);

	for (size_t i = 0; i < list->count && is_good; i++)
		if (is_outermost(list->rows, list->items[i].row) &&
		    (session->limit == 0 || shown++ < session->limit))
			is_good = add_aggregate(session, list->rows, &table,
						list->items[i].row);
	if (is_good) {
		rows_print_sorted_by(session, EXPT_BY_DATA);
		output_gap(&session->output);
		table_print(&table, 0, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	array_release(&columns);
	return is_good;
}

int run_data_layout(struct session *session, int count, char **words)
{
	struct row_list list = { .rows = data_rows(session) };
	struct metric_list metrics = session->metrics;
	struct arena names = { 0 };
	bool is_good = true;

	if (!list.rows)
		return -1;
	session->metrics = session->data_metrics;
	for (size_t i = 0; i < expt_rows_count(list.rows) && is_good; i++)
		if (expt_row(list.rows, i)->is_counted)
			is_good = row_list_add(session, &list, (uint32_t)i, &names);
	if (is_good) {
		row_list_sort(session, &list);
		is_good = print_list(session, &list);
	}
	session->metrics = metrics;
	array_release(&list);
	arena_release(&names);
	return is_good ? 0 : session_out_of_memory(session);
}
