/* SPDX-License-Identifier: Apache-2.0 */
/* I/O by file: ioactivity by name, iodetail by each opening. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/events/io.h"
#include "er_print/events/private.h"
#include "er_print/rows/rows.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"

bool io_is_recorded(struct session *session)
{
	if (expt_metric(session->view, io_metric_base(session))->is_offered)
		return true;
	fputs("I/O trace information was not requested when recording experiments\n\n",
	      session->out);
	return false;
}

static bool is_io(const struct metric_column *column, size_t base)
{
	return column->kind == COLUMN_METRIC && column->metric >= base &&
	       column->metric < base + EXPT_IO_METRIC_COUNT;
}

/* Take the I/O metrics of the current ones, exclusive and once each, and the name. Sort
 * by the current key if that is among them, or the name; otherwise by the first. */
static struct metric_list list_columns(const struct session *session)
{
	const struct metric_list *current = &session->metrics;
	struct metric_list list = { .is_reversed = current->is_reversed };
	size_t base = io_metric_base(session);

	for (size_t i = 0; i < current->count; i++) {
		struct metric_column column = current->columns[i];

		if (column.kind != COLUMN_NAME &&
		    (!is_io(&column, base) ||
		     metric_is_among(column.metric, list.columns, list.count)))
			continue;
		column.flavor = 'e';
		column.group = EXPT_ALL_GROUPS;
		list.columns[list.count++] = column;
	}
	list.sort = current->sort;
	if (!is_io(&list.sort, base) && list.sort.kind != COLUMN_NAME) {
		list.is_reversed = false;
		for (size_t i = list.count; i-- > 0;)
			if (is_io(&list.columns[i], base))
				list.sort = list.columns[i];
	}
	return list;
}

/* ---- the order ---- */

struct order {
	const struct metric_list *list;
	size_t base; /* of the I/O metrics */
	bool has_groups;
};

static int64_t value_in(const struct metric_column *column, size_t base,
			const struct expt_io_file *file)
{
	return is_io(column, base) ? file->values[column->metric - base] : 0;
}

/* Larger values first, equal ones by number, but groups that are not files last. */
static int compare_files(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	const struct expt_io_file *a = *(const struct expt_io_file *const *)left;
	const struct expt_io_file *b = *(const struct expt_io_file *const *)right;
	const struct metric_column *sort = &order->list->sort;
	int64_t value_a = value_in(sort, order->base, a);
	int64_t value_b = value_in(sort, order->base, b);
	bool is_odd_a = a->number < EXPT_IO_FIRST, is_odd_b = b->number < EXPT_IO_FIRST;
	int result = value_a > value_b ? -1 : value_a < value_b;

	if (sort->kind == COLUMN_NAME)
		result = strcmp(a->name, b->name);
	if (order->list->is_reversed)
		result = -result;
	if (result == 0 && order->has_groups)
		result = is_odd_a - is_odd_b;
	if (result == 0)
		result = a->number < b->number ? -1 : a->number > b->number;
	if (result == 0) /* from several experiments: as in gprofng */
		result = a->expt > b->expt ? -1 : a->expt < b->expt;
	return result;
}

/* ---- the table ---- */

static struct expt_io_file total_of(const struct expt_io_files *files)
{
	struct expt_io_file total = { .name = "<Total>", .fd = -1 };

	for (size_t i = 0; i < expt_io_files_count(files); i++)
		for (size_t j = 0; j < EXPT_IO_METRIC_COUNT; j++)
			add_saturated(&total.values[j],
				      expt_io_file(files, i)->values[j]);
	return total;
}

/* Returns "made (FS=ext4)", or "made (IOVFD=10, FD=3)". */
static const char *name_of(struct table *table, const struct expt_io_file *file,
			   bool has_groups)
{
	const char *system = file->file_system;
	char line[4096], text[4096 + 64];
	const char *name = escape_line(line, sizeof(line), file->name);

	if (has_groups && system)
		snprintf(text, sizeof(text), "%s (FS=%s)", name, system);
	else if (has_groups)
		return name == line ? table_text(table, name) : name;
	else if (file->fd < 0)
		snprintf(text, sizeof(text), "%s (IOVFD=%" PRId64 ")", name,
			 file->number);
	else
		snprintf(text, sizeof(text), "%s (IOVFD=%" PRId64 ", FD=%" PRId64 ")",
			 name, file->number, file->fd);
	return table_text(table, text);
}

static bool add_file_line(struct table *table, const struct order *order,
			  const struct expt_io_file *file, const char *name)
{
	const struct metric_list *list = order->list;
	struct cell *cells = name ? table_add_line(table, ' ') : NULL;

	for (size_t i = 0; cells && i < list->count; i++)
		if (list->columns[i].kind == COLUMN_NAME)
			cells[i].text = name;
		else
			cells[i].value = value_in(&list->columns[i], order->base, file);
	return cells;
}

static bool fill_table(struct table *table, const struct order *order,
		       const struct expt_io_files *files)
{
	size_t count = expt_io_files_count(files);
	cleanup_free const struct expt_io_file **sorted =
		calloc(count + 1, sizeof(const struct expt_io_file *));
	struct expt_io_file total = total_of(files);
	bool is_good = sorted && add_file_line(table, order, &total, total.name);

	for (size_t i = 0; i < count && is_good; i++)
		sorted[i] = expt_io_file(files, i);
	if (is_good)
		qsort_r(sorted, count, sizeof(*sorted), compare_files, (void *)order);
	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_file_line(table, order, sorted[i],
					name_of(table, sorted[i], order->has_groups));
	return is_good;
}

/* The order is the list's own. */
static void mark_sorted(struct table *table, const struct metric_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		table->columns.items[i].is_sorted =
			list->columns[i].kind == list->sort.kind &&
			(list->sort.kind != COLUMN_METRIC ||
			 list->columns[i].metric == list->sort.metric);
}

static int print_files(struct session *session, const struct expt_io_files *files,
		       bool has_groups)
{
	struct expt_rows *rows = session_rows(session, EXPT_BY_FUNCTION);
	struct metric_list list = list_columns(session);
	struct order order = {
		.list = &list,
		.base = io_metric_base(session),
		.has_groups = has_groups,
	};
	struct table table = { 0 };
	bool is_good;

	if (!rows)
		return -1;
	is_good = rows_add_columns(session, &table, rows, list.columns, list.count) &&
		  fill_table(&table, &order, files);
	if (is_good) {
		mark_sorted(&table, &list);
		output_heading(&session->output,
			       has_groups ? "I/O by file" : "I/O by open of a file");
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	} else {
		session_out_of_memory(session);
	}
	table_release(&table);
	return is_good ? 0 : -1;
}

static int run_list(struct session *session, bool has_groups)
{
	struct expt_io_files *files;
	struct expt_error err;
	int rc;

	if (!io_is_recorded(session))
		return 0;
	if (expt_io_files_find(&files, session->view, has_groups, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	rc = print_files(session, files, has_groups);
	expt_io_files_free(files);
	return rc;
}

int run_ioactivity(struct session *session, int count, char **words)
{
	return run_list(session, true);
}

int run_iodetail(struct session *session, int count, char **words)
{
	return run_list(session, false);
}
