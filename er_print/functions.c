/* SPDX-License-Identifier: Apache-2.0 */
/* The function list, and single functions. */
#include "er_print/functions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/rows.h"
#include "er_print/run.h"
#include "er_print/table/number_text.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

int list_functions(struct session *session, struct row_list *list, struct arena *names)
{
	list->rows = session_rows(session);
	if (!list->rows)
		return -1;
	for (size_t i = 0; i < expt_rows_count(list->rows); i++)
		if (expt_row(list->rows, i)->is_counted &&
		    !row_list_add(session, list, (uint32_t)i, names))
			return session_out_of_memory(session);
	row_list_sort(session, list);
	return 0;
}

static int print_functions(struct session *session, const struct row_list *list)
{
	struct table table = { 0 };
	const struct metric_list *metrics = &session->metrics;
	bool is_good = rows_add_columns(session, &table, list->rows, metrics->columns,
					metrics->count);

	/* Columns are as wide as all rows need, including those beyond the limit. */
	for (size_t i = 0; i < list->count && is_good; i++)
		is_good = rows_add_line(list, &table, metrics->columns, metrics->count,
					&list->items[i], ' ');
	if (is_good) {
		print_sorted_by(session);
		output_gap(&session->output);
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

int run_functions(struct session *session, int count, char **words)
{
	struct row_list list = { 0 };
	struct arena names = { 0 };
	int rc = list_functions(session, &list, &names);

	if (rc == 0)
		rc = print_functions(session, &list);
	array_release(&list);
	arena_release(&names);
	return rc;
}

/* ---- finding a function by its name ---- */

static bool has_name(const struct expt_row *row, const char *name)
{
	const char *const *aliases;

	if (!row->function)
		return strcmp(row->name, name) == 0;
	for (int form = EXPT_NAME_LONG; form <= EXPT_NAME_MANGLED; form++)
		if (strcmp(expt_function_name(row->function, (enum expt_name_form)form),
			   name) == 0)
			return true;
	aliases = expt_function_aliases(row->function);
	for (; aliases && *aliases; aliases++)
		if (strcmp(*aliases, name) == 0)
			return true;
	return false;
}

struct matches {
	const struct expt_rows *rows;
	uint32_t *items;
	size_t count, capacity;
};

static const struct expt_row *match_row(const struct matches *matches,
					const uint32_t *match)
{
	return expt_row(matches->rows, *match);
}

/* Order by object, then by address. */
static int compare_matches(const void *left, const void *right, void *context)
{
	const struct expt_row *a = match_row(context, left),
			      *b = match_row(context, right);
	size_t object_a, object_b;

	if (!a->function || !b->function)
		return (a->function != NULL) - (b->function != NULL);
	object_a = expt_object_index(expt_function_object(a->function));
	object_b = expt_object_index(expt_function_object(b->function));
	if (object_a != object_b)
		return object_a < object_b ? -1 : 1;
	return expt_function_offset(a->function) < expt_function_offset(b->function) ? -1
										     : 1;
}

static void print_choices(struct session *session, const struct matches *matches)
{
	fprintf(session->out, "Available name list:\n%8d) Cancel\n", 0);
	for (size_t i = 0; i < matches->count; i++) {
		const struct expt_row *row = match_row(matches, &matches->items[i]);
		char buffer[4096];

		fprintf(session->out, "%8zu) %s", i + 1,
			session_row_name(session, row, buffer, sizeof(buffer)));
		if (row->function)
			fprintf(session->out, " %s:0x%08" PRIx64,
				expt_object_path(expt_function_object(row->function)),
				expt_function_offset(row->function));
		fputc('\n', session->out);
	}
}

/* Choose among functions of the same name: the first unless a number is given. */
static int64_t choose_match(struct session *session, const struct matches *matches,
			    const char *name, const char *number)
{
	uint64_t chosen = 1;

	if (matches->count == 0) {
		session_error(session, "no function '%s' with recorded metrics", name);
		return -1;
	}
	if (number &&
	    (!number_u64(&chosen, number) || chosen < 1 || chosen > matches->count)) {
		session_error(session, "invalid number '%s'", number);
		print_choices(session, matches);
		return -1;
	}
	if (!number && matches->count > 1) {
		cli_warn("found %zu functions '%s': using the first", matches->count,
			 name);
	}
	return matches->items[chosen - 1];
}

int64_t find_function(struct session *session, int count, char **words)
{
	struct matches matches = { .rows = session_rows(session) };
	int64_t row = -1;
	bool is_good = matches.rows;

	for (size_t i = 0; is_good && i < expt_rows_count(matches.rows); i++)
		if (expt_row(matches.rows, i)->is_counted &&
		    has_name(expt_row(matches.rows, i), words[1])) {
			uint32_t *new = array_add(&matches);

			is_good = new;
			if (new)
				*new = (uint32_t)i;
		}
	if (is_good) {
		if (matches.count > 1)
			qsort_r(matches.items, matches.count, sizeof(*matches.items),
				compare_matches, &matches);
		row = choose_match(session, &matches, words[1],
				   count > 2 ? words[2] : NULL);
	}
	array_release(&matches);
	return row;
}

/* ---- one function by itself ---- */

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

/* Only code generated at run time has a known source so far. */
static const char *source_name(const struct expt_row *row)
{
	const char *path = row->function ? expt_function_source(row->function) : NULL;

	return path ? path : "(unknown)";
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
	fprintf(out, "\t%*s: (unknown)\n", width, "Object File");
	escape_printf(out, "\t%*s: %s\n", width, "Load Object",
		      row->function
			      ? expt_object_path(expt_function_object(row->function))
			      : "<Total>");
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

int run_fsingle(struct session *session, int count, char **words)
{
	int64_t found = find_function(session, count, words);
	const struct expt_rows *rows = found < 0 ? NULL : session_rows(session);
	const struct expt_row *row;
	int width, number_width;
	char buffer[4096];

	if (!rows)
		return -1;
	row = expt_row(rows, (size_t)found);
	width = label_width(session);
	number_width = figure_width(session, rows);
	fprintf(session->out, "%s\n",
		session_row_name(session, row, buffer, sizeof(buffer)));
	print_metrics(session, rows, (size_t)found, width, number_width);
	print_place(session, row, width, number_width);
	print_names(session, row, width);
	return 0;
}
