/* SPDX-License-Identifier: Apache-2.0 */
/* Order and cells of rows that are functions. */
#include "er_print/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"

struct shown_row *row_list_add(struct session *session, struct row_list *list,
			       uint32_t row, struct arena *names)
{
	const struct row *entry = &session->aggregate->rows.items[row];
	struct shown_row *shown = array_add(list);
	char buffer[4096];
	const char *name;

	if (!shown)
		return NULL;
	name = aggregate_row_name(session, entry, buffer, sizeof(buffer));
	if (name == buffer)
		name = arena_text(names, buffer, strlen(buffer));
	if (!name)
		return NULL;
	*shown = (struct shown_row){ .row = row, .name = name };
	return shown;
}

static const struct row *row_of(const struct session *session,
				const struct shown_row *shown)
{
	return &session->aggregate->rows.items[shown->row];
}

int64_t row_size(const struct row *row)
{
	return row->function ? (int64_t)expt_function_size(row->function) : 0;
}

/* Objects are numbered in the order of loading, after <Unknown> and <Total>. */
static uint64_t object_number(const struct row *row)
{
	size_t index;

	if (!row->function)
		return 1;
	index = expt_object_index(expt_function_object(row->function));
	return index == 0 ? 0 : index + 1;
}

static uint64_t row_offset(const struct row *row)
{
	return row->function ? expt_function_offset(row->function) : 0;
}

void row_address(const struct row *row, char *out, size_t size)
{
	uint64_t offset = row_offset(row);

	if (offset >> 32)
		snprintf(out, size, "%" PRIu64 ":0x%016" PRIx64, object_number(row),
			 offset);
	else
		snprintf(out, size, "%" PRIu64 ":0x%08" PRIx64, object_number(row),
			 offset);
}

static int64_t column_value(const struct session *session, const struct shown_row *shown,
			    const struct metric_column *column)
{
	const struct row *row = row_of(session, shown);
	const int64_t *values = shown->values		? shown->values
				: column->flavor == 'i' ? row->inclusive
							: row->exclusive;

	return value_of(session, values, column->metric);
}

/* Larger keys come first; a name has no key. */
static int64_t sort_key(const struct session *session, const struct shown_row *shown)
{
	const struct metric_column *sort = &session->metrics.sort;
	const struct row *row = row_of(session, shown);

	if (sort->kind == COLUMN_METRIC)
		return column_value(session, shown, sort);
	return sort->kind == COLUMN_SIZE ? row_size(row) : 0;
}

static int compare_addresses(const struct row *a, const struct row *b)
{
	if (object_number(a) != object_number(b))
		return object_number(a) < object_number(b) ? -1 : 1;
	return row_offset(a) < row_offset(b) ? -1 : row_offset(a) > row_offset(b);
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct session *session = context;
	const struct shown_row *a = left, *b = right;
	int order = (b->row == ROW_TOTAL) - (a->row == ROW_TOTAL);

	if (order == 0)
		order = a->key > b->key ? -1 : a->key < b->key;
	if (order == 0 && session->metrics.sort.kind == COLUMN_ADDRESS)
		order = compare_addresses(row_of(session, a), row_of(session, b));
	if (order == 0)
		order = strcmp(a->name, b->name);
	if (order == 0)
		order = a->row < b->row ? -1 : a->row > b->row;
	return session->metrics.is_reversed ? -order : order;
}

void row_list_sort(struct session *session, struct row_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].key = sort_key(session, &list->items[i]);
	if (list->count > 1)
		qsort_r(list->items, list->count, sizeof(*list->items), compare_rows,
			session);
}

/* Make "Excl. Total CPU"; for a time, the third line has the unit. */
static char *column_title(struct table *table, const struct metric_column *column)
{
	const char *flavor = column->flavor == 'e'   ? "Excl."
			     : column->flavor == 'i' ? "Incl."
						     : "Attr.";
	char text[128];

	snprintf(text, sizeof(text), "%s %s", flavor, metric_at(column->metric)->column);
	return table_text(table, text);
}

static bool add_metric_column(struct session *session, struct table *table,
			      const struct metric_column *column)
{
	const struct row *total = &session->aggregate->rows.items[ROW_TOTAL];
	bool is_time = metric_at(column->metric)->unit == METRIC_TIME;
	const char *title = column_title(table, column);
	struct table_column *new;

	if (!title)
		return false;
	new = table_add_column(table, title, is_time ? CELL_TIME : CELL_COUNT);
	if (!new)
		return false;
	new->has_value = column->has_value;
	new->has_percent = column->has_percent;
	new->whole = value_of(session, total->exclusive, column->metric);
	return true;
}

bool rows_add_columns(struct session *session, struct table *table,
		      const struct metric_column *columns, size_t count)
{
	bool is_good = true;

	for (size_t i = 0; i < count && is_good; i++) {
		switch (columns[i].kind) {
		case COLUMN_METRIC:
			is_good = add_metric_column(session, table, &columns[i]);
			break;
		case COLUMN_NAME:
			is_good = table_add_column(table, "Name", CELL_NAME);
			break;
		case COLUMN_SIZE:
			is_good = table_add_column(table, "Size", CELL_TEXT);
			break;
		case COLUMN_ADDRESS:
			is_good = table_add_column(table, "PC Addr.", CELL_TEXT);
			break;
		}
	}
	return is_good;
}

bool rows_add_line(struct session *session, struct table *table,
		   const struct metric_column *columns, size_t count,
		   const struct shown_row *shown, char mark)
{
	const struct row *row = row_of(session, shown);
	struct cell *cells = table_add_line(table, mark);
	char text[64];

	for (size_t i = 0; cells && i < count; i++) {
		const struct metric_column *column = &columns[i];

		if (column->kind == COLUMN_METRIC) {
			cells[i].value = column_value(session, shown, column);
		} else if (column->kind == COLUMN_NAME) {
			cells[i].text = shown->name;
		} else {
			if (column->kind == COLUMN_SIZE)
				snprintf(text, sizeof(text), "%" PRId64, row_size(row));
			else
				row_address(row, text, sizeof(text));
			cells[i].text = table_text(table, text);
			if (!cells[i].text)
				return false;
		}
	}
	return cells;
}

void print_sorted_by(struct session *session)
{
	char title[METRIC_TEXT_SIZE];

	metric_column_title(title, &session->metrics.sort);
	fprintf(session->out, "Functions sorted by metric: %s%s\n",
		session->metrics.is_reversed ? "-" : "", title);
}
