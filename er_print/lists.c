/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of what is loaded: experiments, threads, CPUs, samples, objects, archives. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/cpu_time.h"
#include "er_print/header.h"
#include "er_print/run.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/cli/cli.h"

static int digits_of(int64_t number)
{
	return snprintf(NULL, 0, "%" PRId64, number);
}

static int at_least(int width, int minimum)
{
	return width > minimum ? width : minimum;
}

static void print_rule(FILE *out, int width)
{
	while (width-- > 0)
		putc('=', out);
	putc(' ', out);
}

#define CPU_TIME_WIDTH 8
#define SAMPLED_WIDTH  7

static void print_list_head(FILE *out, int id_width, int pid_width, int name_width,
			    bool has_times)
{
	fprintf(out, "%*s Sel %*s ", id_width, "ID", pid_width, "PID");
	if (has_times)
		fprintf(out, "%*s %*s ", CPU_TIME_WIDTH, "CPU sec.", SAMPLED_WIDTH,
			"Sampled");
	fputs("Experiment \n", out);
	print_rule(out, id_width);
	print_rule(out, 3);
	print_rule(out, pid_width);
	if (has_times) {
		print_rule(out, CPU_TIME_WIDTH);
		print_rule(out, SAMPLED_WIDTH);
	}
	print_rule(out, name_width);
	fputc('\n', out);
}

int run_experiment_list(struct session *session, int count, char **words)
{
	bool has_times = has_cpu_times(session);
	cleanup_free struct expt_cpu_time *times = has_times ? find_cpu_times(session)
							     : NULL;
	int id_width = at_least(digits_of((int64_t)expt_view_count(session->view)), 2);
	int pid_width = 4, name_width = 10;

	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		struct member member = session_member(session, i);

		pid_width = at_least(digits_of(expt_info(member.expt)->pid), pid_width);
		name_width = at_least((int)strlen(member.name), name_width);
	}
	if (has_times && !times)
		return -1;
	print_list_head(session->out, id_width, pid_width, name_width, has_times);
	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		struct member member = session_member(session, i);

		fprintf(session->out, "%*zu yes %*" PRId64 " ", id_width, i + 1,
			pid_width, expt_info(member.expt)->pid);
		if (has_times)
			fprintf(session->out, "%*.3f %*.1f%% ", CPU_TIME_WIDTH,
				(double)times[i].total_ns / 1e9, SAMPLED_WIDTH - 1,
				sampled_share(&times[i]));
		escape_printf(session->out, "%s \n", member.name);
	}
	return 0;
}

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

static bool has_nothing(const struct session *session, const uint64_t *totals)
{
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		if (totals[i] == 0)
			return true;
	return false;
}

/* Print the number of items in each experiment; nothing: text for experiments without
 * any, or NULL. */
static int print_totals(struct session *session, total_function total,
			const char *nothing)
{
	cleanup_free uint64_t *totals = find_totals(session, total);
	int width = 3;

	if (!totals)
		return -1;
	if (nothing && has_nothing(session, totals))
		width = (int)strlen(nothing);
	fprintf(session->out, "Exp %-*s Total \n", width, "Sel");
	print_rule(session->out, 3);
	print_rule(session->out, width);
	print_rule(session->out, 5);
	fputc('\n', session->out);
	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		fprintf(session->out, "%3zu %-*s %5" PRIu64 " \n", i + 1, width,
			totals[i] == 0 && nothing ? nothing : "all", totals[i]);
	}
	return 0;
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
	return print_totals(session, samples_of, NULL);
}

int run_thread_list(struct session *session, int count, char **words)
{
	return print_totals(session, threads_of, NULL);
}

int run_lwp_list(struct session *session, int count, char **words)
{
	return print_totals(session, lwps_of, NULL);
}

int run_cpu_list(struct session *session, int count, char **words)
{
	return print_totals(session, cpus_of, "(data not recorded)");
}

/* ---- load objects ---- */

/* Check whether an object of the same path was printed for another founder. */
static bool was_printed(struct session *session, size_t member, const char *path)
{
	for (size_t i = 0; i < member; i++) {
		struct expt *expt = expt_view_expt(session->view, i);

		if (expt_view_founder(session->view, i) ==
		    expt_view_founder(session->view, member))
			continue;
		for (size_t j = 0; j < expt_object_count(expt); j++)
			if (strcmp(expt_object_path(expt_object(expt, j)), path) == 0)
				return true;
	}
	return false;
}

static void print_object(struct session *session, struct expt_object *object)
{
	const char *problem = NULL;

	escape_printf(session->out, " %s (%s)\n", expt_object_name(object),
		      expt_object_path(object));
	expt_object_file(object, &problem);
	if (problem)
		escape_printf(session->out, "\t*** Warning: %s\n", problem);
}

int run_objects(struct session *session, int count, char **words)
{
	/* A founder and its descendants share one table of objects, but the descendants'
	 * maps have to be read to fill it. */
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		expt_segment_count(expt_view_expt(session->view, i));
	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		struct member member = session_member(session, i);

		if (member.founder != i)
			continue;
		for (size_t j = 0; j < expt_object_count(member.expt); j++) {
			struct expt_object *object = expt_object(member.expt, j);

			if (!was_printed(session, i, expt_object_path(object)))
				print_object(session, object);
		}
	}
	fputc('\n', session->out);
	return 0;
}

/* ---- archives ---- */

static int print_archive(struct session *session, const struct member *member)
{
	struct expt_report *report = expt_report_new();
	struct expt_archive_options options = {
		.mode = EXPT_ARCHIVE_ON,
		.check_only = true,
		.operation.report = report,
	};
	struct expt_error err;
	int rc;

	if (!report) {
		session->status = cli_error("out of memory");
		return -1;
	}
	escape_printf(session->out, "Experiment: %s\n", member->name);
	rc = expt_archive(expt_path(member->expt), &options, &err);
	if (rc < 0)
		session_error(session, "%s", err.message);
	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);

		escape_printf(session->out, "  %s %s%s%s\n", cli_outcome(line->outcome),
			      line->name, *line->reason ? ": " : "", line->reason);
	}
	expt_report_free(report);
	return rc < 0 ? -1 : 0;
}

int run_archive(struct session *session, int count, char **words)
{
	size_t first, end;

	if (!select_members(session, count, words, &first, &end))
		return -1;
	for (size_t i = first; i < end; i++) {
		struct member member = session_member(session, i);

		if (i == first || member.founder == i)
			print_archive(session, &member);
	}
	return 0;
}
