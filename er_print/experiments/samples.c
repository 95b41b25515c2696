/* SPDX-License-Identifier: Apache-2.0 */
/* Resource usage of the process: per sample, and in total. */
#include <inttypes.h>
#include <string.h>

#include "er_print/experiments/cpu_time.h"
#include "er_print/experiments/header.h"
#include "er_print/experiments/private.h"
#include "er_print/experiments/usage_table.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

#define LABEL_WIDTH 51

static void print_label(FILE *out, const char *label)
{
	fprintf(out, "%*s: ", LABEL_WIDTH - 1, label);
}

static int width_of_seconds(uint64_t ns)
{
	return snprintf(NULL, 0, "%.3f", (double)ns / 1e9);
}

static int widest(int a, int b)
{
	return a > b ? a : b;
}

/* Returns the width of the widest figure, to which all of them are right-aligned. */
static int times_width(const struct expt_sample *sample)
{
	int width = widest(5, widest(width_of_seconds(sample->end_ns),
				     width_of_seconds(sample->thread_ns)));

	for (size_t i = 0; i < USAGE_TIMES; i++)
		width = widest(width,
			       width_of_seconds(sample->times_ns[usage_times[i].time]));
	return width;
}

static int counts_width(const struct expt_sample *sample)
{
	int width = 0;

	for (size_t i = 0; i < USAGE_COUNTS; i++)
		width = widest(width, snprintf(NULL, 0, "%" PRId64,
					       sample->counts[usage_counts[i].count]));
	return width;
}

static void print_seconds_line(FILE *out, const char *label, uint64_t ns, int width)
{
	print_label(out, label);
	fprintf(out, "%*.3f\n", width, (double)ns / 1e9);
}

static void print_times(FILE *out, const struct expt_sample *sample, int width)
{
	double thread_ns = (double)sample->thread_ns;

	fprintf(out, "%*s:\n", LABEL_WIDTH - 1, "Process Times (sec.)");
	for (size_t i = 0; i < USAGE_TIMES; i++) {
		uint64_t ns = sample->times_ns[usage_times[i].time];

		print_label(out, usage_times[i].label);
		if (ns == 0)
			fprintf(out, "%*s (  0. %%)\n", width, "0.   ");
		else
			fprintf(out, "%*.3f (%5.1f%%)\n", width, (double)ns / 1e9,
				sample->thread_ns ? 100.0 * (double)ns / thread_ns : 0.0);
	}
}

static void print_counts(FILE *out, const struct expt_sample *sample, int width)
{
	for (size_t i = 0; i < USAGE_COUNTS; i++) {
		print_label(out, usage_counts[i].label);
		fprintf(out, "%*" PRId64 "\n", width,
			sample->counts[usage_counts[i].count]);
	}
}

static void print_span(FILE *out, const struct usage *usage, int width)
{
	const struct expt_sample *sample = &usage->sample;
	char label[4096];

	print_label(out, "Start Label");
	fprintf(out, "%s\n", escape_line(label, sizeof(label), sample->start_label));
	print_label(out, "End Label");
	fprintf(out, "%s\n", escape_line(label, sizeof(label), sample->end_label));
	if (usage->has_span) {
		print_seconds_line(out, "Start Time (sec.)", sample->start_ns, width);
		print_seconds_line(out, "End Time (sec.)", sample->end_ns, width);
	} else {
		print_label(out, "Start Time (sec.)");
		fputs("N/A\n", out);
		print_label(out, "End Time (sec.)");
		fputs("N/A\n", out);
	}
	print_seconds_line(out, "Duration (sec.)", usage->duration_ns, width);
	print_seconds_line(out, "Total Thread Time (sec.)", sample->thread_ns, width);
	print_label(out, "Average number of Threads");
	fprintf(out, "%*.3f\n\n", width, usage_threads(usage));
}

static uint64_t duration_of(const struct expt_sample *sample)
{
	return sample->end_ns > sample->start_ns ? sample->end_ns - sample->start_ns : 0;
}

static void add_sample(struct usage *sum, const struct expt_sample *sample)
{
	sum->duration_ns += duration_of(sample);
	sum->sample_count++;
	sum->sample.thread_ns += sample->thread_ns;
	for (size_t i = 0; i < EXPT_TIME_COUNT; i++)
		sum->sample.times_ns[i] += sample->times_ns[i];
	for (size_t i = 0; i < EXPT_USAGE_COUNT_COUNT; i++)
		add_saturated(&sum->sample.counts[i], sample->counts[i]);
}

/* Add up all samples of the members from first to end. */
static struct usage sum_of_samples(struct session *session, size_t first, size_t end)
{
	struct usage sum = {
		.sample = { .start_label = "Total", .end_label = "Total" },
		.has_span = end - first == 1,
	};

	for (size_t i = first; i < end && !session_is_stopped(session); i++) {
		struct expt *expt = expt_view_expt(session->view, i);
		size_t count = expt_sample_count(expt);

		for (size_t j = 0; j < count; j++) {
			add_sample(&sum, expt_sample(expt, j));
			if (j == 0)
				sum.sample.start_ns = expt_sample(expt, j)->start_ns;
			sum.sample.end_ns = expt_sample(expt, j)->end_ns;
		}
	}
	return sum;
}

static void print_sum(FILE *out, const char *title, const char *name,
		      const struct usage *sum, int width)
{
	escape_printf(out, "%s%s\n", title, name);
	fputs("        Aggregated statistics for selected samples\n\n", out);
	print_span(out, sum, width);
	print_times(out, &sum->sample, width);
}

static struct expt_cpu_time sum_of_times(const struct expt_cpu_time *times, size_t count)
{
	struct expt_cpu_time sum = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		sum.total_ns += times[i].total_ns;
		sum.sampled_ns += times[i].sampled_ns;
	}
	return sum;
}

/* Print the clock's own count, which starts at the first instruction of each process. */
static void print_cpu_time(FILE *out, const struct expt_cpu_time *times, size_t count,
			   int width)
{
	struct expt_cpu_time sum = sum_of_times(times, count);

	print_seconds_line(out, "CPU Time Recorded (sec.)", (uint64_t)sum.total_ns,
			   width);
	print_label(out, "With Samples");
	fprintf(out, "%*.3f (%5.1f%%)\n", width, (double)sum.sampled_ns / 1e9,
		sampled_share(&sum));
}

static void print_statistics(FILE *out, const struct usage *sum, int width)
{
	fputc('\n', out);
	print_counts(out, &sum->sample, width);
	fputc('\n', out);
}

static struct usage usage_of(const struct expt_sample *sample)
{
	return (struct usage){
		.sample = *sample,
		.duration_ns = duration_of(sample),
		.has_span = true,
	};
}

static void print_samples(FILE *out, struct expt *expt, int width)
{
	fputs("\n\n                                Individual samples\n\n", out);
	for (size_t i = 0; i < expt_sample_count(expt); i++) {
		const struct expt_sample *sample = expt_sample(expt, i);
		struct usage usage = usage_of(sample);

		print_label(out, "Sample Number");
		fprintf(out, "%" PRIu64 "\n\n", sample->number);
		print_span(out, &usage, width);
		print_times(out, sample, width);
		fputc('\n', out);
	}
}

static int usage_width(const struct usage *usage, bool has_samples)
{
	int width = times_width(&usage->sample);

	return has_samples ? width : widest(width, counts_width(&usage->sample));
}

#define SUM_NAME "<Sum across selected experiments>"

/* Members from first to end. times: NULL, or of all members. */
struct selection {
	struct session *session;
	size_t first, end;
	const struct expt_cpu_time *times;
	bool has_samples; /* shown one by one */
};

/* For several experiments the sum comes first; its figures are the widest. Experiments
 * without samples are omitted. */
static void print_text(const struct selection *selection)
{
	struct session *session = selection->session;
	size_t first = selection->first, end = selection->end;
	const struct expt_cpu_time *times = selection->times;
	struct usage sum = sum_of_samples(session, first, end);
	int width = usage_width(&sum, selection->has_samples);

	if (sum.sample_count > 0 && end - first > 1) {
		print_sum(session->out, SUM_NAME, "", &sum, width);
		if (times)
			print_cpu_time(session->out, times + first, end - first, width);
		if (!selection->has_samples)
			print_statistics(session->out, &sum, width);
		fputs(selection->has_samples ? "\n\n" : "\n", session->out);
	}
	for (size_t i = first; i < end && !session_is_stopped(session); i++) {
		struct session_member member = session_member(session, i);

		sum = sum_of_samples(session, i, i + 1);
		if (sum.sample_count == 0)
			continue;
		print_sum(session->out, "Experiment: ", member.name, &sum, width);
		if (times)
			print_cpu_time(session->out, times + i, 1, width);
		if (selection->has_samples)
			print_samples(session->out, member.expt, width);
		else
			print_statistics(session->out, &sum, width);
	}
}

static bool add_sum(const struct selection *selection, struct usage_table *table,
		    const char *name, size_t first, size_t end)
{
	struct usage sum = sum_of_samples(selection->session, first, end);
	struct expt_cpu_time time = { 0, 0 };

	if (selection->times)
		time = sum_of_times(selection->times + first, end - first);
	return sum.sample_count == 0 || usage_table_add(table, name, NULL, &sum, &time);
}

static bool add_member(const struct selection *selection, struct usage_table *table,
		       size_t i)
{
	struct session_member member = session_member(selection->session, i);

	if (!add_sum(selection, table, member.name, i, i + 1))
		return false;
	for (size_t j = 0; selection->has_samples && j < expt_sample_count(member.expt);
	     j++) {
		const struct expt_sample *sample = expt_sample(member.expt, j);
		struct usage usage = usage_of(sample);

		if (!usage_table_add(table, member.name, &sample->number, &usage, NULL))
			return false;
	}
	return true;
}

static bool print_table(const struct selection *selection)
{
	struct session *session = selection->session;
	struct usage_table table = {
		.has_counts = !selection->has_samples,
		.has_cpu_times = selection->times,
	};
	bool is_good = usage_table_add_columns(&table);

	if (selection->end - selection->first > 1 && is_good)
		is_good = add_sum(selection, &table, SUM_NAME, selection->first,
				  selection->end);
	for (size_t i = selection->first; i < selection->end && is_good; i++)
		is_good = add_member(selection, &table, i);
	output_heading(&session->output, selection->has_samples
						 ? "Individual samples"
						 : "Aggregated statistics");
	if (is_good)
		table_print(&table.table, 0, &session->output);
	table_release(&table.table);
	return is_good;
}

static int print_usage(struct session *session, int count, char **words, bool has_samples)
{
	bool has_times = !has_samples && has_cpu_times(session);
	cleanup_free struct expt_cpu_time *times = has_times ? find_cpu_times(session)
							     : NULL;
	struct selection selection = {
		.session = session,
		.times = times,
		.has_samples = has_samples,
	};

	if ((has_times && !times) ||
	    !select_members(session, count, words, &selection.first, &selection.end))
		return -1;
	if (session->output.form == OUTPUT_TEXT) {
		print_text(&selection);
		return 0;
	}
	return print_table(&selection) ? 0 : session_out_of_memory(session);
}

int run_statistics(struct session *session, int count, char **words)
{
	return print_usage(session, count, words, false);
}

int run_sample_detail(struct session *session, int count, char **words)
{
	return print_usage(session, count, words, true);
}
