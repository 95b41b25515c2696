/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of data objects, and one of them. */
#include <inttypes.h>
#include <string.h>

#include "er_print/data/private.h"
#include "er_print/rows/rows.h"
#include "er_print/session/metric_print.h"
#include "er_print/table/number_text.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

int print_data_rows(struct session *session, struct expt_rows *rows, enum expt_by by)
{
	struct metric_list metrics = session->metrics;
	int rc;

	session->metrics = session->data_metrics;
	rc = rows_print(session, rows, by);
	session->metrics = metrics;
	return rc;
}

bool data_is_there(struct session *session)
{
	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		if (expt_metric(session->view, i)->has_data_objects)
			return true;
	session_error(session, "no counter was recorded with data addresses: "
			       "collect -h +NAME does");
	return false;
}

struct expt_rows *data_rows(struct session *session)
{
	struct expt_rows *rows;
	struct expt_error err;
	int rc;

	if (!data_is_there(session))
		return NULL;
	rc = expt_view_data_rows(session->view, &rows, &err);
	session_report_problems(session);
	if (rc == 0)
		return rows;
	session_failed(session, &err);
	return NULL;
}

int run_data_objects(struct session *session, int count, char **words)
{
	struct expt_rows *rows = data_rows(session);

	return rows ? print_data_rows(session, rows, EXPT_BY_DATA) : -1;
}

/* ---- one object -------------------------------------------------------------------- */

struct matches {
	uint32_t *items;
	size_t count, capacity;
};

static bool has_name(const struct expt_datum *datum, const char *name)
{
	return strcmp(datum->descriptor, name) == 0 ||
	       strcmp(datum->short_form, name) == 0;
}

static void print_choices(struct session *session, const struct expt_rows *rows,
			  const struct matches *matches)
{
	fprintf(session->out, "Available name list:\n%8d) Cancel\n", 0);
	for (size_t i = 0; i < matches->count; i++)
		escape_printf(session->out, "%8zu) %s\n", i + 1,
			      expt_row_datum(rows, matches->items[i])->descriptor);
}

/* Choose among objects of the same name: the first unless a number is given. */
static int64_t choose(struct session *session, const struct expt_rows *rows,
		      const struct matches *matches, const char *name, const char *number)
{
	uint64_t chosen = 1;

	if (matches->count == 0) {
		session_error(session, "no data object '%s' with recorded metrics", name);
		return -1;
	}
	if (number &&
	    (!number_u64(&chosen, number) || chosen < 1 || chosen > matches->count)) {
		session_error(session, "invalid number '%s'", number);
		print_choices(session, rows, matches);
		return -1;
	}
	if (!number && matches->count > 1)
		cli_warn("found %zu data objects '%s': using the first", matches->count,
			 name);
	return matches->items[chosen - 1];
}

static int64_t find_object(struct session *session, const struct expt_rows *rows,
			   int count, char **words)
{
	struct matches matches = { 0 };
	int64_t found;

	for (size_t i = 0; i < expt_rows_count(rows); i++) {
		uint32_t *match;

		if (!expt_row(rows, i)->is_counted ||
		    (i >= EXPT_ROW_FIRST &&
		     !has_name(expt_row_datum(rows, i), words[1])) ||
		    (i < EXPT_ROW_FIRST &&
		     strcmp(expt_row(rows, i)->name, words[1]) != 0))
			continue;
		match = array_add(&matches);
		if (!match) {
			array_release(&matches);
			return session_out_of_memory(session);
		}
		*match = (uint32_t)i;
	}
	found = choose(session, rows, &matches, words[1], count > 2 ? words[2] : NULL);
	array_release(&matches);
	return found;
}

static void print_metric(struct session *session, const struct expt_rows *rows,
			 size_t row, size_t metric)
{
	struct metric_column column = { .metric = metric, .flavor = 'd' };
	int64_t value = expt_row_value(rows, row, metric, EXPT_EXCLUSIVE);
	int64_t whole = expt_row_value(rows, EXPT_ROW_TOTAL, metric, EXPT_EXCLUSIVE);
	char title[METRIC_TEXT_SIZE], number[64];

	metric_column_title(session, title, &column);
	if (expt_metric(session->view, metric)->unit == EXPT_UNIT_TIME)
		format_seconds(number, sizeof(number), value);
	else
		snprintf(number, sizeof(number), "%" PRId64, value);
	escape_printf(session->out, "\t%40s: %s (%5.1f%%)\n", title, number,
		      whole ? 100.0 * (double)value / (double)whole : 0.0);
}

static void print_place(struct session *session, const struct expt_rows *rows, size_t row)
{
	const struct expt_datum *datum = expt_row_datum(rows, row);
	const struct expt_datum *container = expt_row_datum(rows, datum->container);

	if (datum->container != EXPT_ROW_TOTAL)
		escape_printf(session->out, "\t%40s: %s\n", "Container",
			      container->descriptor);
	if (datum->container >= EXPT_DATA_FIRST)
		fprintf(session->out, "\t%40s: %" PRIu64 "\n", "Offset (bytes)",
			datum->offset);
	if (datum->size > 0)
		fprintf(session->out, "\t%40s: %" PRIu64 "\n", "Size (bytes)",
			datum->size);
}

int run_data_single(struct session *session, int count, char **words)
{
	struct expt_rows *rows = data_rows(session);
	int64_t row = rows ? find_object(session, rows, count, words) : -1;

	if (row < 0)
		return -1;
	escape_printf(session->out, "%s\n", expt_row(rows, (size_t)row)->name);
	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		if (expt_metric(session->view, i)->has_data_objects)
			print_metric(session, rows, (size_t)row, i);
	if (row >= EXPT_ROW_FIRST)
		print_place(session, rows, (size_t)row);
	return print_allocations(session, rows, (size_t)row);
}

/* ---- metrics ----------------------------------------------------------------------- */

int run_data_metrics(struct session *session, int count, char **words)
{
	if (count > 1 && !metrics_choose_data(session, words[1]))
		return -1;
	metrics_print_data(session);
	return 0;
}

int run_data_sort(struct session *session, int count, char **words)
{
	bool is_good = count < 2 || metrics_sort_data(session, words[1]);

	metrics_print_data(session);
	return is_good ? 0 : -1;
}

int run_data_metric_list(struct session *session, int count, char **words)
{
	metrics_print_table(session, METRICS_OF_DATA_OBJECTS);
	return 0;
}
