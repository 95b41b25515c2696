/* SPDX-License-Identifier: Apache-2.0 */
/* All metrics of a function, a line or an address, and where it is. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/functions/functions.h"
#include "er_print/functions/private.h"
#include "er_print/rows/rows.h"
#include "er_print/table/number_text.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"

/* Format a figure and its share of the total: "0.160 (  6.3%)". Figures are right-aligned
 * to those of <Total>. */
static void format_figure(char *out, size_t size, const struct expt_metric *metric,
			  int64_t value, int64_t whole, int width)
{
	char number[64], share[32];

	if (metric->unit == EXPT_UNIT_COUNT)
		snprintf(number, sizeof(number), "%" PRId64, value);
	else if (value == 0)
		snprintf(number, sizeof(number), "0.   ");
	else
		format_seconds(number, sizeof(number), value);
	if (value == 0 || whole == 0)
		snprintf(share, sizeof(share), "  0. %%");
	else
		snprintf(share, sizeof(share), "%5.1f%%",
			 100.0 * (double)value / (double)whole);
	snprintf(out, size, "%*s (%s)", width, number, share);
}

/* Returns the width of the largest figure. */
static int figure_width(struct session *session, const struct expt_rows *rows)
{
	int width = 0;

	for (size_t i = 0; i < expt_metric_count(session->view); i++) {
		const struct expt_metric *metric = expt_metric(session->view, i);
		char number[160];
		int needed;

		if (!metric->is_offered)
			continue;
		format_figure(number, sizeof(number), metric,
			      expt_row_value(rows, EXPT_ROW_TOTAL, i, EXPT_EXCLUSIVE), 0,
			      0);
		needed = (int)(strstr(number, " (") - number);
		if (needed > width)
			width = needed;
	}
	return width;
}

static void print_metric(struct session *session, const struct expt_rows *rows,
			 size_t row, const struct metric_column *column, int width,
			 int number_width)
{
	const struct expt_metric *metric = expt_metric(session->view, column->metric);
	char title[METRIC_TEXT_SIZE], value[160];

	metric_column_title(session, title, column);
	format_figure(
		value, sizeof(value), metric,
		expt_row_value(rows, row, column->metric,
			       column->flavor == 'e' ? EXPT_EXCLUSIVE : EXPT_INCLUSIVE),
		expt_row_value(rows, EXPT_ROW_TOTAL, column->metric, EXPT_EXCLUSIVE),
		number_width);
	fprintf(session->out, "\t%*s: %s\n", width, title, value);
}

static void print_metrics(struct session *session, const struct expt_rows *rows,
			  size_t row, int width, int number_width)
{
	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		for (const char *flavor = "ei";
		     *flavor && expt_metric(session->view, i)->is_offered; flavor++) {
			struct metric_column column = { .metric = i, .flavor = *flavor };

			print_metric(session, rows, row, &column, width, number_width);
		}
}

/* Returns the width of the longest label. */
static int label_width(struct session *session)
{
	size_t width = strlen("Mangled Name");

	for (size_t i = 0; i < expt_metric_count(session->view); i++) {
		struct metric_column column = { .metric = i, .flavor = 'e' };
		char title[METRIC_TEXT_SIZE];

		metric_column_title(session, title, &column);
		if (expt_metric(session->view, i)->is_offered && strlen(title) > width)
			width = strlen(title);
	}
	return (int)width;
}

static const char *source_name(const struct expt_row *row)
{
	const char *path = row->function ? expt_function_source(row->function) : NULL;

	if (row->by == EXPT_BY_LINE)
		path = row->path;
	return path ? path : "(unknown)";
}

/* The file with the code, if the source is known: there are no others. */
static const char *object_name(const struct expt_row *row)
{
	const char *problem, *file;
	const struct expt_code_row *rows;

	if (!row->function || expt_function_positions(row->function, &rows) == 0)
		return "(unknown)";
	file = expt_object_file(expt_function_object(row->function), &problem);
	return file ? file : "(unknown)";
}

static void print_place(struct session *session, const struct expt_row *row, int width,
			int number_width)
{
	FILE *out = session->out;
	char address[64];

	row_address(row, address, sizeof(address));
	fprintf(out, "\t%*s: %*" PRId64 "\n", width, "Size", number_width, row_size(row));
	fprintf(out, "\t%*s: %s\n", width, "PC Address", address);
	escape_printf(out, "\t%*s: %s\n", width, "Source File", source_name(row));
	escape_printf(out, "\t%*s: %s\n", width, "Object File", object_name(row));
	escape_printf(out, "\t%*s: %s\n", width, "Load Object",
		      row->object ? expt_object_path(row->object) : "<Total>");
}

static void print_names(struct session *session, const struct expt_row *row, int width)
{
	const char *const *aliases = row->function ? expt_function_aliases(row->function)
						   : NULL;
	const char *mangled =
		row->function ? expt_function_name(row->function, EXPT_NAME_MANGLED) : "";
	bool is_mangled =
		row->function &&
		strcmp(mangled, expt_function_name(row->function, EXPT_NAME_LONG)) != 0;

	escape_printf(session->out, "\t%*s:%s%s\n", width, "Mangled Name",
		      is_mangled ? " " : "", is_mangled ? mangled : "");
	fprintf(session->out, "\t%*s:", width, "Aliases");
	for (; aliases && *aliases; aliases++)
		escape_printf(session->out, " %s", *aliases);
	fputc('\n', session->out);
}

static void print_summary(struct session *session, const struct expt_rows *rows,
			  size_t number, int width, int number_width)
{
	const struct expt_row *row = expt_row(rows, number);
	char buffer[4096];

	fprintf(session->out, "%s\n",
		session_row_name(session, row, buffer, sizeof(buffer)));
	print_metrics(session, rows, number, width, number_width);
	print_place(session, row, width, number_width);
	print_names(session, row, width);
}

int run_fsingle(struct session *session, int count, char **words)
{
	int64_t found = find_function(session, count, words);
	const struct expt_rows *rows =
		found < 0 ? NULL : session_rows(session, EXPT_BY_FUNCTION);

	if (!rows)
		return -1;
	print_summary(session, rows, (size_t)found, label_width(session),
		      figure_width(session, rows));
	return 0;
}

/* ---- all of them ---- */

static int print_summaries(struct session *session, enum expt_by by)
{
	struct row_list list = { 0 };
	struct arena names = { 0 };
	int rc = row_list_all(session, &list, by, &names);

	if (rc == 0) {
		int width = label_width(session),
		    number_width = figure_width(session, list.rows);

		rows_print_sorted_by(session, by);
		for (size_t i = 0; i < list.count && !session_is_stopped(session); i++) {
			if (session->limit && i >= session->limit)
				break;
			fputc('\n', session->out);
			print_summary(session, list.rows, list.items[i].row, width,
				      number_width);
		}
	}
	array_release(&list);
	arena_release(&names);
	return rc;
}

int run_fsummary(struct session *session, int count, char **words)
{
	return print_summaries(session, EXPT_BY_FUNCTION);
}

int run_psummary(struct session *session, int count, char **words)
{
	return print_summaries(session, EXPT_BY_PC);
}

int run_lsummary(struct session *session, int count, char **words)
{
	return print_summaries(session, EXPT_BY_LINE);
}
