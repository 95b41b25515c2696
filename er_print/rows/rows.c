/* SPDX-License-Identifier: Apache-2.0 */
/* Order and cells of rows that are functions. */
#include "er_print/rows/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/rows/difference.h"
#include "er_print/rows/line_code.h"
#include "libexpt/base/array.h"

struct shown_row *row_list_add(struct session *session, struct row_list *list,
			       uint32_t row, struct arena *names)
{
	const struct expt_row *entry = expt_row(list->rows, row);
	struct shown_row *shown = array_add(list);
	char buffer[4096];
	const char *name;

	if (!shown)
		return NULL;
	name = session_row_name(session, entry, buffer, sizeof(buffer));
	if (name == buffer)
		name = arena_text(names, buffer, strlen(buffer));
	if (!name)
		return NULL;
	*shown = (struct shown_row){ .row = row, .name = name };
	return shown;
}

static const struct expt_row *row_of(const struct row_list *list,
				     const struct shown_row *shown)
{
	return expt_row(list->rows, shown->row);
}

/* A single address has no size. */
int64_t row_size(const struct expt_row *row)
{
	if (row->path)
		return (int64_t)line_code_find(row).size;
	return row->function && row->by == EXPT_BY_FUNCTION
		       ? (int64_t)expt_function_size(row->function)
		       : 0;
}

/* Objects are numbered in the order of loading, after <Unknown> and <Total>. */
static uint64_t object_number(const struct expt_row *row)
{
	size_t index;

	if (!row->function)
		return 1;
	index = expt_object_index(expt_function_object(row->function));
	return index == 0 ? 0 : index + 1;
}

static uint64_t row_offset(const struct expt_row *row)
{
	if (!row->function)
		return 0;
	return expt_function_offset(row->function) +
	       (row->path ? line_code_find(row).offset : row->offset);
}

void row_address(const struct expt_row *row, char *out, size_t size)
{
	uint64_t offset = row_offset(row);

	if (offset >> 32)
		snprintf(out, size, "%" PRIu64 ":0x%016" PRIx64, object_number(row),
			 offset);
	else
		snprintf(out, size, "%" PRIu64 ":0x%08" PRIx64, object_number(row),
			 offset);
}

static int64_t column_value(const struct row_list *list, const struct shown_row *shown,
			    const struct metric_column *column)
{
	char flavor = shown->flavor ? shown->flavor : column->flavor;

	if (list->tree)
		return expt_tree_value(list->tree, shown->node, column->group,
				       column->metric);
	if (shown->neighbour)
		return expt_neighbour_value(list->rows, shown->neighbour, column->group,
					    column->metric);
	return expt_row_value_in(list->rows, shown->row, column->group, column->metric,
				 flavor == 'i' ? EXPT_INCLUSIVE : EXPT_EXCLUSIVE);
}

/* Larger keys come first; a name has no key. */
static int64_t sort_key(const struct session *session, const struct row_list *list,
			const struct shown_row *shown)
{
	const struct metric_column *sort = &session->metrics.sort;

	if (sort->kind == COLUMN_METRIC)
		return column_value(list, shown, sort);
	return sort->kind == COLUMN_SIZE ? row_size(row_of(list, shown)) : 0;
}

static int compare_addresses(const struct expt_row *a, const struct expt_row *b)
{
	if (object_number(a) != object_number(b))
		return object_number(a) < object_number(b) ? -1 : 1;
	return row_offset(a) < row_offset(b) ? -1 : row_offset(a) > row_offset(b);
}

/* Index objects are in the order of their values; other rows have none. */
static int compare_values(const struct expt_row *a, const struct expt_row *b)
{
	return a->value < b->value ? -1 : a->value > b->value;
}

struct row_order {
	const struct row_list *list;
	const struct metric_list *metrics;
};

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct row_order *sorting = context;
	const struct shown_row *a = left, *b = right;
	int order = (b->row == EXPT_ROW_TOTAL) - (a->row == EXPT_ROW_TOTAL);

	if (order == 0)
		order = a->key > b->key ? -1 : a->key < b->key;
	if (order == 0 && sorting->metrics->sort.kind == COLUMN_ADDRESS)
		order = compare_addresses(row_of(sorting->list, a),
					  row_of(sorting->list, b));
	if (order == 0)
		order = compare_values(row_of(sorting->list, a),
				       row_of(sorting->list, b));
	if (order == 0)
		order = strcmp(a->name, b->name);
	if (order == 0)
		order = a->row < b->row ? -1 : a->row > b->row;
	return sorting->metrics->is_reversed ? -order : order;
}

void row_list_sort(struct session *session, struct row_list *list)
{
	struct row_order order = { list, &session->metrics };

	for (size_t i = 0; i < list->count; i++)
		list->items[i].key = sort_key(session, list, &list->items[i]);
	if (list->count > 1)
		qsort_r(list->items, list->count, sizeof(*list->items), compare_rows,
			&order);
}

/* Make "Excl. Total CPU"; for a time, the third line has the unit. */
static char *column_title(const struct session *session, struct table *table,
			  const struct metric_column *column)
{
	const char *flavor = column->flavor == 'e'   ? "Excl."
			     : column->flavor == 'i' ? "Incl."
			     : column->flavor == 'd' ? "Data."
						     : "Attr.";
	char text[128];

	snprintf(text, sizeof(text), "%s %s", flavor,
		 expt_metric(session->view, column->metric)->column);
	return table_text(table, text);
}

static bool is_sorted(const struct session *session, const struct metric_column *column)
{
	const struct metric_column *sort = &session->metrics.sort;

	if (column->kind != sort->kind || column->kind != COLUMN_METRIC)
		return column->kind == sort->kind;
	return column->group == sort->group && column->metric == sort->metric &&
	       (column->flavor == sort->flavor || column->flavor == 'a');
}

/* Add the title of a group, and let its column show how it differs from the first
 * group's. false: out of memory. */
static bool compare_column(struct session *session, struct table *table,
			   struct table_column *new, size_t group)
{
	static const enum column_comparison comparisons[] = {
		[COMPARISON_OFF] = COMPARE_NOT,
		[COMPARISON_ON] = COMPARE_NOT,
		[COMPARISON_DELTA] = COMPARE_DELTA,
		[COMPARISON_RATIO] = COMPARE_RATIO,
	};

	if (expt_view_groups(session->view) < 2 || group == EXPT_ALL_GROUPS)
		return true;
	new->group = table_one_line(table, session_group_name(session, group));
	if (group > 0) {
		new->comparison = comparisons[session->comparison];
		new->base = table->columns.count - 1 - group;
	}
	return new->group;
}

static bool add_metric_column(struct session *session, struct table *table,
			      const struct expt_rows *rows,
			      const struct metric_column *column)
{
	bool is_time = expt_metric(session->view, column->metric)->unit == EXPT_UNIT_TIME;
	const char *title = column_title(session, table, column);
	struct table_column *new;

	if (!title)
		return false;
	new = table_add_column(table, title, is_time ? CELL_TIME : CELL_COUNT);
	if (!new)
		return false;
	new->has_value = column->has_value;
	new->has_percent = column->has_percent;
	new->whole = expt_row_value_in(rows, EXPT_ROW_TOTAL, column->group,
				       column->metric, EXPT_EXCLUSIVE);
	if (!compare_column(session, table, new, column->group))
		return false;
	/* A ratio has no error in seconds. */
	if (session->has_errors && column->has_value && column->flavor != 'a' &&
	    expt_metric(session->view, column->metric)->is_sampled)
		new->has_error = new->comparison != COMPARE_RATIO;
	return true;
}

static bool add_column(struct session *session, struct table *table,
		       const struct expt_rows *rows, const struct metric_column *column)
{
	switch (column->kind) {
	case COLUMN_METRIC:
		return add_metric_column(session, table, rows, column);
	case COLUMN_NAME:
		return table_add_column(table, "Name", CELL_NAME);
	case COLUMN_SIZE:
		return table_add_column(table, "Size", CELL_TEXT);
	case COLUMN_ADDRESS:
		return table_add_column(table, "PC Addr.", CELL_TEXT);
	}
	return false;
}

/* Half of the 95 % interval of a cell: of the value, or of its difference. */
static int64_t column_error(const struct row_list *list, const struct shown_row *shown,
			    const struct metric_column *column, bool is_difference)
{
	enum expt_flavor flavor = column->flavor == 'i' ? EXPT_INCLUSIVE : EXPT_EXCLUSIVE;
	struct expt_difference difference;

	/* The total is counted. */
	if (shown->row == EXPT_ROW_TOTAL)
		return 0;
	if (!is_difference)
		return (int64_t)expt_row_error(list->rows, shown->row, column->group,
					       column->metric, flavor);
	expt_row_difference(list->rows, shown->row, column->group, column->metric, flavor,
			    &difference);
	return (int64_t)difference.error;
}

bool rows_add_columns(struct session *session, struct table *table,
		      const struct expt_rows *rows, const struct metric_column *columns,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct table_column *new;
		char title[METRIC_TEXT_SIZE];

		if (!add_column(session, table, rows, &columns[i]))
			return false;
		new = &table->columns.items[table->columns.count - 1];
		metric_column_title(session, title, &columns[i]);
		new->full_title = table_text(table, title);
		new->unit = columns[i].kind == COLUMN_SIZE ? "(bytes)" : NULL;
		new->is_sorted = is_sorted(session, &columns[i]);
		if (!new->full_title)
			return false;
	}
	return true;
}

bool rows_add_line(const struct row_list *list, struct table *table,
		   const struct metric_column *columns, size_t count,
		   const struct shown_row *shown, char mark)
{
	const struct expt_row *row = row_of(list, shown);
	struct cell *cells = table_add_line(table, mark);
	char text[64];

	for (size_t i = 0; cells && i < count; i++) {
		const struct metric_column *column = &columns[i];

		if (column->kind == COLUMN_METRIC) {
			const struct table_column *form = &table->columns.items[i];

			cells[i].value = column_value(list, shown, column);
			if (form->has_error)
				cells[i].error =
					column_error(list, shown, column,
						     form->comparison == COMPARE_DELTA);
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

const char *rows_title(enum expt_by by)
{
	static const char *const titles[EXPT_BY_COUNT] = {
		[EXPT_BY_FUNCTION] = "Functions", [EXPT_BY_PC] = "PCs",
		[EXPT_BY_OBJECT] = "Objects",	  [EXPT_BY_LINE] = "Lines",
		[EXPT_BY_SOURCE_LINE] = "Lines",  [EXPT_BY_INDEX] = "Objects",
		[EXPT_BY_DATA] = "Data objects",
	};

	return titles[by];
}

void rows_print_sorted_by(struct session *session, enum expt_by by)
{
	char title[METRIC_TEXT_SIZE];

	metric_column_title(session, title, &session->metrics.sort);
	output_title(&session->output, "%s sorted by metric: %s%s", rows_title(by),
		     session->metrics.is_reversed ? "-" : "", title);
}

static int list_rows(struct session *session, struct row_list *list,
		     struct expt_rows *rows, struct arena *names)
{
	list->rows = rows;
	for (size_t i = 0; i < expt_rows_count(list->rows); i++)
		if (expt_row(list->rows, i)->is_counted &&
		    !row_list_add(session, list, (uint32_t)i, names))
			return session_out_of_memory(session);
	row_list_sort(session, list);
	return 0;
}

int row_list_all(struct session *session, struct row_list *list, enum expt_by by,
		 struct arena *names)
{
	struct expt_rows *rows = session_rows(session, by);

	return rows ? list_rows(session, list, rows, names) : -1;
}

static int print_rows(struct session *session, enum expt_by by,
		      const struct row_list *list)
{
	struct table table = { 0 };
	struct shown_columns columns = { 0 };
	struct differences differences = differences_begin(session, list->rows);
	bool is_good = shown_columns_all(session, &columns) &&
		       rows_add_columns(session, &table, list->rows, columns.items,
					columns.count);

	/* Columns are as wide as all rows need, including those beyond the limit. */
	for (size_t i = 0; i < list->count && is_good; i++)
		is_good = rows_add_line(
			list, &table, columns.items, columns.count, &list->items[i],
			row_differs(&differences, list->items[i].row) ? '*' : ' ');
	if (is_good) {
		rows_print_sorted_by(session, by);
		output_gap(&session->output);
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	array_release(&columns);
	return is_good ? 0 : session_out_of_memory(session);
}

int rows_print(struct session *session, struct expt_rows *rows, enum expt_by by)
{
	struct row_list list = { 0 };
	struct arena names = { 0 };
	int rc = list_rows(session, &list, rows, &names);

	if (rc == 0)
		rc = print_rows(session, by, &list);
	array_release(&list);
	arena_release(&names);
	return rc;
}

int rows_print_all(struct session *session, enum expt_by by)
{
	struct expt_rows *rows = session_rows(session, by);

	return rows ? rows_print(session, rows, by) : -1;
}
