/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments, and the totals of all metrics over them. */
#include <inttypes.h>

#include "er_print/experiments/course.h"
#include "er_print/experiments/private.h"
#include "er_print/table/number_text.h"
#include "libexpt/base/escape.h"

/* A time that is not CPU time is hot from this share of it, in percent, on (measured on
 * gp-display-text). */
#define HOT_SHARE 10

/* ---- experiments ---- */

static size_t descendants_of(const struct session *session, size_t founder)
{
	size_t end = founder + 1;

	while (end < expt_view_count(session->view) &&
	       expt_view_founder(session->view, end) == founder)
		end++;
	return end - founder - 1;
}

static void print_seconds(FILE *out, uint64_t ns)
{
	char text[32];

	format_time(text, sizeof(text), (int64_t)ns);
	fputs(text, out);
}

/* Returns the time from the founder's start to the end of its last descendant. */
static uint64_t duration_of(const struct session *session, size_t founder, size_t others)
{
	uint64_t start = expt_info(expt_view_expt(session->view, founder))->start_ns;
	uint64_t duration = 0;

	for (size_t i = founder; i <= founder + others; i++) {
		struct expt *expt = expt_view_expt(session->view, i);
		uint64_t own_start = expt_info(expt)->start_ns;
		uint64_t later = own_start > start ? own_start - start : 0;
		uint64_t end = course_end_ns(expt);

		if (end <= UINT64_MAX - later && later + end > duration)
			duration = later + end;
	}
	return duration;
}

/* Returns the duration of the experiment. */
static uint64_t print_experiment(struct session *session, size_t i)
{
	struct expt *expt = expt_view_expt(session->view, i);
	const struct expt_info *info = expt_info(expt);
	size_t others = descendants_of(session, i);
	uint64_t duration = duration_of(session, i, others);
	FILE *out = session->out;

	escape_printf(out, "Experiment      :%s", expt_view_name(session->view, i));
	if (others > 0)
		fprintf(out, " (plus %zu more)", others);
	fputs("\n  Target        : '", out);
	escape_printf(out, "%s'", info->command);
	fputs("\n  Host          : ", out);
	escape_printf(out, "%s (%s, %s)", info->host, info->arch, info->os);
	fputs("\n  Start Time    : ", out);
	course_print_start(out, expt);
	fputs("\n  Duration      : ", out);
	print_seconds(out, duration);
	fputs(" Seconds\n\n", out);
	return duration;
}

/* Returns the sum of the durations. */
static uint64_t print_experiments(struct session *session)
{
	uint64_t sum = 0;

	fputs("Experiment(s):\n\n", session->out);
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		if (expt_view_founder(session->view, i) == i)
			sum += print_experiment(session, i);
	return sum;
}

/* ---- metrics ---- */

static const char *kind_title(enum expt_data data)
{
	static const char *const titles[EXPT_DATA_COUNT] = {
		[EXPT_CLOCK] = "Clock Profiling",
		[EXPT_HWC] = "Hardware Counter Profiling",
		[EXPT_HEAP] = "Heap Tracing",
		[EXPT_SYNC] = "Synchronization Tracing",
		[EXPT_IO] = "IO Tracing",
		[EXPT_OMP] = "OpenMP",
		[EXPT_RACE] = "Data Races",
		[EXPT_DEADLOCK] = "Deadlocks",
		[EXPT_MPI] = "MPI Tracing",
	};

	return titles[data] ? titles[data] : expt_data_name(data);
}

static int64_t total_of(const struct expt_rows *rows, size_t metric)
{
	return expt_row_value(rows, EXPT_ROW_TOTAL, metric, EXPT_EXCLUSIVE);
}

/* The metrics of the clock after total CPU time are its parts. */
static bool is_part(const struct session *session, size_t cpu, size_t metric)
{
	return expt_metric(session->view, metric)->data == EXPT_CLOCK && metric > cpu;
}

/* cpu: EXPT_METRIC_NONE without clock profiling. */
static bool is_hot(const struct session *session, const struct expt_rows *rows,
		   size_t cpu, size_t metric)
{
	size_t heap = expt_metric_first(session->view, EXPT_HEAP);
	int64_t value = total_of(rows, metric);

	if (value <= 0)
		return false;
	if (metric == cpu || metric == heap + EXPT_ALLOCATED_BYTES ||
	    metric == heap + EXPT_LEAKED_BYTES)
		return true;
	return cpu != EXPT_METRIC_NONE && !is_part(session, cpu, metric) &&
	       expt_metric(session->view, metric)->unit == EXPT_UNIT_TIME &&
	       (double)value * 100 >= (double)total_of(rows, cpu) * HOT_SHARE;
}

static void print_metric(struct session *session, const struct expt_rows *rows, size_t i)
{
	const struct expt_metric *metric = expt_metric(session->view, i);
	size_t cpu = expt_metric_find(session->view, "totalcpu");
	bool is_enabled =
		metric_is_among(i, session->metrics.columns, session->metrics.count);
	int64_t value = total_of(rows, i);
	FILE *out = session->out;

	fprintf(out, "    %s[%c]", is_part(session, cpu, i) ? "  " : "",
		is_enabled ? 'X' : ' ');
	escape_printf(out, "%s - %s%s: [%s", metric->title, metric->name,
		      metric->unit == EXPT_UNIT_TIME ? " (Seconds)" : "",
		      is_hot(session, rows, cpu, i) ? "*" : "");
	if (metric->unit == EXPT_UNIT_TIME)
		print_seconds(out, value > 0 ? (uint64_t)value : 0);
	else
		fprintf(out, "%" PRId64, value);
	fputs("]\n", out);
}

static void print_metrics(struct session *session, const struct expt_rows *rows)
{
	enum expt_data last = EXPT_DATA_COUNT;

	for (size_t i = 0; i < expt_metric_count(session->view); i++) {
		const struct expt_metric *metric = expt_metric(session->view, i);

		if (!metric->is_offered)
			continue;
		if (metric->data != last)
			fprintf(session->out, "  %s\n", kind_title(metric->data));
		last = metric->data;
		print_metric(session, rows, i);
	}
}

int run_overview(struct session *session, int count, char **words)
{
	struct expt_rows *rows = session_rows(session, EXPT_BY_FUNCTION);
	uint64_t duration;

	if (!rows)
		return -1;
	duration = print_experiments(session);
	fputs("Metrics:\n\n  Experiment Duration (Seconds): [", session->out);
	print_seconds(session->out, duration);
	fputs("]\n", session->out);
	print_metrics(session, rows);
	fputs("\nNotes: '*' indicates hot metrics, '[X]' indicates currently enabled "
	      "metrics.\n       The metrics command can be used to change selections. "
	      "The metric_list command lists all available metrics.\n",
	      session->out);
	return 0;
}
