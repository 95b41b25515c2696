/* SPDX-License-Identifier: Apache-2.0 */
/* I/O by file: ioactivity by name, iodetail by each opening. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/aggregate.h"
#include "er_print/io_files.h"
#include "er_print/rows.h"
#include "er_print/run.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/cli/cli.h"

static bool is_io(const struct metric_column *column)
{
	return column->kind == COLUMN_METRIC && column->metric >= io_metric_base() &&
	       column->metric < io_metric_base() + IO_METRIC_COUNT;
}

/* Take the I/O metrics of the current ones, exclusive and once each, and the name. Sort
 * by the current key if that is among them, or the name; otherwise by the first. */
static struct metric_list list_columns(const struct session *session)
{
	const struct metric_list *current = &session->metrics;
	struct metric_list list = { .is_reversed = current->is_reversed };

	for (size_t i = 0; i < current->count; i++) {
		struct metric_column column = current->columns[i];

		if (column.kind != COLUMN_NAME &&
		    (!is_io(&column) ||
		     metric_is_among(column.metric, list.columns, list.count)))
			continue;
		column.flavor = 'e';
		list.columns[list.count++] = column;
	}
	list.sort = current->sort;
	if (!is_io(&list.sort) && list.sort.kind != COLUMN_NAME) {
		list.is_reversed = false;
		for (size_t i = list.count; i-- > 0;)
			if (is_io(&list.columns[i]))
				list.sort = list.columns[i];
	}
	return list;
}

/* ---- the order ---- */

struct order {
	const struct metric_list *list;
	bool has_groups;
};

static int64_t value_in(const struct metric_column *column, const struct io_file *file)
{
	return is_io(column) ? file->values[column->metric - io_metric_base()] : 0;
}

/* Larger values first, equal ones by number, but groups that are not files last. */
static int compare_files(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	const struct io_file *a = left, *b = right;
	const struct metric_column *sort = &order->list->sort;
	int64_t value_a = value_in(sort, a), value_b = value_in(sort, b);
	bool is_odd_a = a->number < IO_FIRST_NUMBER,
	     is_odd_b = b->number < IO_FIRST_NUMBER;
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
		result = a->member > b->member ? -1 : a->member < b->member;
	return result;
}

/* ---- the table ---- */

static struct io_file total_of(const struct io_files *files)
{
	struct io_file total = { .name = "<Total>", .fd = -1 };

	for (size_t i = 0; i < files->list.count; i++)
		for (size_t j = 0; j < IO_METRIC_COUNT; j++)
			add_saturated(&total.values[j], files->list.items[i].values[j]);
	return total;
}

/* Returns "made (FS=ext4)", or "made (IOVFD=10, FD=3)". */
static const char *name_of(struct table *table, const struct io_file *file,
			   bool has_groups)
{
	const char *system = io_file_system_name(file->file_system);
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

static bool add_file_line(struct table *table, const struct metric_list *list,
			  const struct io_file *file, const char *name)
{
	struct cell *cells = name ? table_add_line(table, ' ') : NULL;

	for (size_t i = 0; cells && i < list->count; i++)
		if (list->columns[i].kind == COLUMN_NAME)
			cells[i].text = name;
		else
			cells[i].value = value_in(&list->columns[i], file);
	return cells;
}

static bool fill_table(struct session *session, struct table *table,
		       const struct metric_list *list, const struct io_files *files,
		       bool has_groups)
{
	struct io_file total = total_of(files);
	bool is_good = rows_add_columns(session, table, list->columns, list->count) &&
		       add_file_line(table, list, &total, total.name);

	for (size_t i = 0; i < files->list.count && is_good; i++) {
		const struct io_file *file = &files->list.items[i];

		if (file->is_used)
			is_good = add_file_line(table, list, file,
						name_of(table, file, has_groups));
	}
	return is_good;
}

static int print_files(struct session *session, struct io_files *files, bool has_groups)
{
	struct metric_list list = list_columns(session);
	struct order order = { .list = &list, .has_groups = has_groups };
	struct table table = { 0 };
	bool is_good;

	if (files->list.count > 1)
		qsort_r(files->list.items, files->list.count, sizeof(*files->list.items),
			compare_files, &order);
	is_good = fill_table(session, &table, &list, files, has_groups);
	if (is_good) {
		size_t count = table.lines.count;

		table_lay_out(&table);
		table_print_header(&table, session->out);
		table_print_lines(
			&table, 0,
			session->limit && session->limit < count ? session->limit : count,
			session->out);
		fputc('\n', session->out);
	} else {
		session->status = cli_error("out of memory");
	}
	table_release(&table);
	return is_good ? 0 : -1;
}

static int run_list(struct session *session, bool has_groups)
{
	struct io_files files = { 0 };
	int rc;

	if (!io_is_recorded(session))
		return 0;
	rc = session_aggregate(session) ? io_files_read(session, &files) : -1;
	if (rc == 0 && has_groups)
		rc = io_files_group(session, &files);
	if (rc == 0)
		rc = print_files(session, &files, has_groups);
	io_files_release(&files);
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
