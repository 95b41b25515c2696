/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of what is loaded: experiments, threads, CPUs, samples, objects, archives. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/experiments/cpu_time.h"
#include "er_print/experiments/header.h"
#include "er_print/experiments/lists.h"
#include "er_print/experiments/loaded_objects.h"
#include "er_print/experiments/private.h"
#include "er_print/experiments/selected.h"
#include "er_print/table/table.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/cli/cli.h"

static int print_or_fail(struct session *session, struct table *table, bool is_good)
{
	if (is_good)
		table_print(table, 0, &session->output);
	table_release(table);
	return is_good ? 0 : session_out_of_memory(session);
}

static bool add_column(struct table *table, const char *title, enum cell_form form)
{
	struct table_column *column = table_add_column(table, title, form);

	if (column)
		column->is_left = true;
	return column;
}

/* ---- experiments ---- */

static bool add_experiment_columns(struct table *table, bool has_times)
{
	table->is_ruled = true;
	if (!add_column(table, "ID", CELL_COUNT) ||
	    !table_add_column(table, "Sel", CELL_TEXT) ||
	    !add_column(table, "PID", CELL_COUNT))
		return false;
	return (!has_times || (table_add_column(table, "CPU sec.", CELL_TEXT) &&
			       table_add_column(table, "Sampled", CELL_TEXT))) &&
	       add_column(table, "Experiment", CELL_TEXT);
}

static bool add_times(struct table *table, struct cell *cells,
		      const struct expt_cpu_time *times)
{
	char text[64];

	snprintf(text, sizeof(text), "%.3f", (double)times->total_ns / 1e9);
	cells[0].text = table_text(table, text);
	snprintf(text, sizeof(text), "%.1f%%", sampled_share(times));
	cells[1].text = table_text(table, text);
	return cells[0].text && cells[1].text;
}

static bool add_experiment(struct session *session, struct table *table, size_t i,
			   const struct expt_cpu_time *times)
{
	struct session_member member = session_member(session, i);
	struct cell *cells = table_add_line(table, ' ');
	const char *name = table_one_line(table, member.name);

	if (!cells || (times && !add_times(table, cells + 3, &times[i])))
		return false;
	cells[0].value = (int64_t)i + 1;
	cells[1].text = is_experiment_selected(session, i) ? "yes" : "no";
	cells[2].value = expt_info(member.expt)->pid;
	cells[table->columns.count - 1].text = name;
	return name;
}

int run_experiment_list(struct session *session, int count, char **words)
{
	bool has_times = has_cpu_times(session);
	cleanup_free struct expt_cpu_time *times = has_times ? find_cpu_times(session)
							     : NULL;
	struct table table = { 0 };
	bool is_good;

	if (has_times && !times)
		return -1;
	is_good = add_experiment_columns(&table, has_times);
	for (size_t i = 0; i < expt_view_count(session->view) && is_good; i++)
		is_good = add_experiment(session, &table, i, times);
	output_heading(&session->output, "Experiments");
	return print_or_fail(session, &table, is_good);
}

/* ---- totals ---- */

/* Get the number of items in an experiment. -1: it cannot be known, which has been
 * reported. */
typedef int (*total_function)(struct session *session, size_t member, uint64_t *total);

static uint64_t *find_totals(struct session *session, total_function total)
{
	size_t count = expt_view_count(session->view);
	uint64_t *totals = calloc(count + 1, sizeof(*totals));

	if (!totals)
		session_out_of_memory(session);
	for (size_t i = 0; totals && i < count; i++)
		if (total(session, i, &totals[i]) < 0) {
			free(totals);
			totals = NULL;
		}
	session_report_problems(session);
	return totals;
}

/* Print the number of items in each experiment; nothing: text for experiments without
 * any, or NULL. */
static int print_totals(struct session *session, const char *title,
			enum expt_subset subset, total_function total,
			const char *nothing)
{
	cleanup_free uint64_t *totals = find_totals(session, total);
	struct table table = { .is_ruled = true };
	bool is_good = add_column(&table, "Exp", CELL_COUNT) &&
		       add_column(&table, "Sel", CELL_TEXT) &&
		       add_column(&table, "Total", CELL_COUNT);

	if (!totals) {
		table_release(&table);
		return -1;
	}
	for (size_t i = 0; i < expt_view_count(session->view) && is_good; i++) {
		struct cell *cells = table_add_line(&table, ' ');

		is_good = cells;
		if (!cells)
			break;
		cells[0].value = (int64_t)i + 1;
		cells[1].text =
			totals[i] == 0 && nothing
				? nothing
				: selected_numbers(session, &table, subset, i, totals[i]);
		cells[2].value = (int64_t)totals[i];
		is_good = cells[1].text;
	}
	output_heading(&session->output, title);
	return print_or_fail(session, &table, is_good);
}

static int samples_of(struct session *session, size_t member, uint64_t *total)
{
	*total = expt_sample_count(expt_view_expt(session->view, member));
	return 0;
}

static int counts_of(struct session *session, size_t member, struct expt_counts *counts)
{
	struct expt_error err;

	if (expt_view_counts(session->view, member, counts, &err) < 0)
		return session_failed(session, &err);
	return 0;
}

static int threads_of(struct session *session, size_t member, uint64_t *total)
{
	struct expt_counts counts = { 0 };
	int rc = counts_of(session, member, &counts);

	*total = counts.threads;
	return rc;
}

static int lwps_of(struct session *session, size_t member, uint64_t *total)
{
	struct expt_counts counts = { 0 };
	int rc = counts_of(session, member, &counts);

	*total = counts.lwps;
	return rc;
}

static int cpus_of(struct session *session, size_t member, uint64_t *total)
{
	struct expt_counts counts = { 0 };
	int rc = counts_of(session, member, &counts);

	*total = counts.cpus;
	return rc;
}

int run_sample_list(struct session *session, int count, char **words)
{
	return print_totals(session, "Samples", EXPT_SAMPLES, samples_of, NULL);
}

int run_thread_list(struct session *session, int count, char **words)
{
	return print_totals(session, "Threads", EXPT_THREADS, threads_of, NULL);
}

int run_lwp_list(struct session *session, int count, char **words)
{
	return print_totals(session, "Threads by kernel id", EXPT_LWPS, lwps_of, NULL);
}

int run_cpu_list(struct session *session, int count, char **words)
{
	return print_totals(session, "CPUs", EXPT_CPUS, cpus_of, "(data not recorded)");
}

/* ---- load objects ---- */

static void print_object(struct session *session, struct expt_object *object)
{
	const char *problem = NULL;

	escape_printf(session->out, " %s (%s)\n", expt_object_name(object),
		      expt_object_path(object));
	expt_object_file(object, &problem);
	if (problem)
		escape_printf(session->out, "\t*** Warning: %s\n", problem);
}

static bool add_object_columns(struct table *table)
{
	return add_column(table, "Name", CELL_NAME) &&
	       add_column(table, "Path", CELL_TEXT) &&
	       add_column(table, "Problem", CELL_TEXT);
}

static bool add_object(struct table *table, struct expt_object *object)
{
	const char *problem = NULL;
	struct cell *cells = table_add_line(table, ' ');

	if (!cells)
		return false;
	expt_object_file(object, &problem);
	cells[0].text = table_one_line(table, expt_object_name(object));
	cells[1].text = table_one_line(table, expt_object_path(object));
	cells[2].text = table_one_line(table, problem ? problem : "");
	return cells[0].text && cells[1].text && cells[2].text;
}

static bool show_object(struct session *session, struct table *table,
			struct expt_object *object)
{
	if (session->output.form != OUTPUT_TEXT)
		return add_object(table, object);
	print_object(session, object);
	return true;
}

int run_objects(struct session *session, int count, char **words)
{
	struct table table = { 0 };

	if (session->output.form == OUTPUT_TEXT) {
		for_each_object(session, &table, show_object);
		fputc('\n', session->out);
		return 0;
	}
	output_heading(&session->output, "Load objects");
	return print_or_fail(session, &table,
			     add_object_columns(&table) &&
				     for_each_object(session, &table, show_object));
}

/* ---- archives ---- */

static void print_archive_line(struct session *session,
			       const struct expt_report_line *line)
{
	escape_printf(session->out, "  %s %s%s%s\n", cli_outcome(line->outcome),
		      line->name, *line->reason ? ": " : "", line->reason);
}

static bool add_archive_line(struct table *table, const char *name,
			     const struct expt_report_line *line)
{
	const char *texts[] = { name, cli_outcome(line->outcome), line->name,
				line->reason };
	struct cell *cells = table_add_line(table, ' ');

	/* The report is freed before the table is printed. */
	for (size_t i = 0; cells && i < sizeof(texts) / sizeof(*texts); i++) {
		const char *text = table_one_line(table, texts[i]);

		cells[i].text = text == texts[i] ? table_text(table, text) : text;
		if (!cells[i].text)
			return false;
	}
	return cells;
}

static bool show_archive(struct session *session, struct table *table,
			 const struct session_member *member,
			 const struct expt_report *report)
{
	bool is_text = session->output.form == OUTPUT_TEXT;

	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);

		if (is_text)
			print_archive_line(session, line);
		else if (!add_archive_line(table, member->name, line))
			return false;
	}
	return true;
}

static bool check_archive(struct session *session, struct table *table,
			  const struct session_member *member)
{
	struct expt_report *report = expt_report_new();
	struct expt_archive_options options = {
		.mode = EXPT_ARCHIVE_ON,
		.check_only = true,
		.operation.report = report,
	};
	struct expt_error err;
	bool is_good;

	if (!report)
		return false;
	if (session->output.form == OUTPUT_TEXT)
		escape_printf(session->out, "Experiment: %s\n", member->name);
	if (expt_archive(expt_path(member->expt), &options, &err) < 0)
		session_error(session, "%s", err.message);
	is_good = show_archive(session, table, member, report);
	expt_report_free(report);
	return is_good;
}

int run_archive(struct session *session, int count, char **words)
{
	struct table table = { 0 };
	size_t first, end;
	bool is_good;

	if (!select_members(session, count, words, &first, &end))
		return -1;
	is_good = add_column(&table, "Experiment", CELL_TEXT) &&
		  add_column(&table, "State", CELL_TEXT) &&
		  add_column(&table, "Name", CELL_NAME) &&
		  add_column(&table, "Reason", CELL_TEXT);
	output_heading(&session->output, "Archives");
	for (size_t i = first; i < end && is_good; i++) {
		struct session_member member = session_member(session, i);

		if (i == first || member.founder == i)
			is_good = check_archive(session, &table, &member);
	}
	if (is_good && session->output.form == OUTPUT_TEXT) {
		table_release(&table);
		return 0;
	}
	return print_or_fail(session, &table, is_good);
}
