/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/experiments/usage_table.h"

#include <inttypes.h>

#include "er_print/table/number_text.h"

const struct usage_time usage_times[USAGE_TIMES] = {
	{ EXPT_TIME_USER, "User CPU" },
	{ EXPT_TIME_SYSTEM, "System CPU" },
	{ EXPT_TIME_TRAP, "Trap CPU" },
	{ EXPT_TIME_USER_LOCK, "User Lock" },
	{ EXPT_TIME_DATA_FAULT, "Data Page Fault" },
	{ EXPT_TIME_TEXT_FAULT, "Text Page Fault" },
	{ EXPT_TIME_KERNEL_FAULT, "Kernel Page Fault" },
	{ EXPT_TIME_STOPPED, "Stopped" },
	{ EXPT_TIME_WAIT_CPU, "Wait CPU" },
	{ EXPT_TIME_SLEEP, "Sleep" },
};

const struct usage_count usage_counts[USAGE_COUNTS] = {
	{ EXPT_MINOR_FAULTS, "Minor Page Faults" },
	{ EXPT_MAJOR_FAULTS, "Major Page Faults" },
	{ EXPT_SWAPS, "Process swaps" },
	{ EXPT_BLOCKS_IN, "Input blocks" },
	{ EXPT_BLOCKS_OUT, "Output blocks" },
	{ EXPT_MESSAGES_SENT, "Messages sent" },
	{ EXPT_MESSAGES_RECEIVED, "Messages received" },
	{ EXPT_SIGNALS, "Signals handled" },
	{ EXPT_VOLUNTARY_SWITCHES, "Voluntary context switches" },
	{ EXPT_INVOLUNTARY_SWITCHES, "Involuntary context switches" },
	{ EXPT_SYSTEM_CALLS, "System calls" },
	{ EXPT_CHARACTERS, "Characters of I/O" },
};

double usage_threads(const struct usage *usage)
{
	return usage->duration_ns
		       ? (double)usage->sample.thread_ns / (double)usage->duration_ns
		       : 0.0;
}

/* ---- columns ---- */

enum {
	EXPERIMENT,
	NUMBER,
	START_LABEL,
	END_LABEL,
	START,
	END,
	DURATION,
	THREAD_TIME,
	THREADS,
	FIRST_TIME
};

static const struct {
	const char *title;
	enum cell_form form;
	const char *unit;
} heads[] = {
	[EXPERIMENT] = { "Experiment", CELL_NAME, NULL },
	[NUMBER] = { "Sample Number", CELL_TEXT, NULL },
	[START_LABEL] = { "Start Label", CELL_TEXT, NULL },
	[END_LABEL] = { "End Label", CELL_TEXT, NULL },
	[START] = { "Start Time", CELL_TEXT, "(sec.)" },
	[END] = { "End Time", CELL_TEXT, "(sec.)" },
	[DURATION] = { "Duration", CELL_TIME, NULL },
	[THREAD_TIME] = { "Total Thread Time", CELL_TIME, NULL },
	[THREADS] = { "Average number of Threads", CELL_TEXT, NULL },
};

bool usage_table_add_columns(struct usage_table *usage)
{
	struct table *table = &usage->table;
	bool is_good = true;

	for (size_t i = 0; i < FIRST_TIME && is_good; i++) {
		struct table_column *column =
			table_add_column(table, heads[i].title, heads[i].form);

		is_good = column;
		if (column)
			column->unit = heads[i].unit;
	}
	for (size_t i = 0; i < USAGE_TIMES && is_good; i++)
		is_good = table_add_column(table, usage_times[i].label, CELL_TIME);
	if (is_good && usage->has_cpu_times)
		is_good = table_add_column(table, "CPU Time Recorded", CELL_TIME) &&
			  table_add_column(table, "With Samples", CELL_TIME);
	for (size_t i = 0; i < USAGE_COUNTS && is_good && usage->has_counts; i++)
		is_good = table_add_column(table, usage_counts[i].label, CELL_COUNT);
	return is_good;
}

/* ---- lines ---- */

static const char *seconds(struct table *table, const struct usage *usage, uint64_t ns)
{
	char text[32];

	if (!usage->has_span)
		return "N/A";
	format_exact_seconds(text, sizeof(text), (int64_t)ns);
	return table_text(table, text);
}

static bool set_head(struct table *table, struct cell *cells, const struct usage *usage,
		     const uint64_t *number)
{
	const struct expt_sample *sample = &usage->sample;
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64, number ? *number : 0);
	cells[NUMBER].text = number ? table_text(table, text) : "";
	cells[START_LABEL].text = table_one_line(table, sample->start_label);
	cells[END_LABEL].text = table_one_line(table, sample->end_label);
	cells[START].text = seconds(table, usage, sample->start_ns);
	cells[END].text = seconds(table, usage, sample->end_ns);
	cells[DURATION].value = (int64_t)usage->duration_ns;
	cells[THREAD_TIME].value = (int64_t)sample->thread_ns;
	snprintf(text, sizeof(text), "%.3f", usage_threads(usage));
	cells[THREADS].text = table_text(table, text);
	return cells[NUMBER].text && cells[START_LABEL].text && cells[END_LABEL].text &&
	       cells[START].text && cells[END].text && cells[THREADS].text;
}

bool usage_table_add(struct usage_table *usage_table, const char *experiment,
		     const uint64_t *number, const struct usage *usage,
		     const struct expt_cpu_time *cpu_time)
{
	struct table *table = &usage_table->table;
	struct cell *cells = table_add_line(table, ' '), *next;

	if (!cells || !set_head(table, cells, usage, number))
		return false;
	cells[EXPERIMENT].text = table_one_line(table, experiment);
	next = cells + FIRST_TIME;
	for (size_t i = 0; i < USAGE_TIMES; i++)
		(next++)->value = (int64_t)usage->sample.times_ns[usage_times[i].time];
	if (usage_table->has_cpu_times) {
		(next++)->value = cpu_time->total_ns;
		(next++)->value = cpu_time->sampled_ns;
	}
	for (size_t i = 0; i < USAGE_COUNTS && usage_table->has_counts; i++)
		(next++)->value = usage->sample.counts[usage_counts[i].count];
	return cells[EXPERIMENT].text;
}
