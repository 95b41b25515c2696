/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processed format of the Firefox profiler, in a version that all later ones read.
 * Each thread has tables of its own, in columns; load objects and texts are shared.
 * Samples have the time when they ended, and the value of the metric as their weight.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "er_export/formats/firefox_columns.h"
#include "er_export/formats/private.h"
#include "libexpt/base/array.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/write.h"

#define PROCESSED_VERSION 56
#define GECKO_VERSION	  31
#define MS_DIGITS	  6 /* of milliseconds, down to the nanosecond */
#define US_PER_MS	  1000
#define MS_PER_SECOND	  1000
#define BREAKPAD_BYTES	  16

/* ---- samples ---- */

static const struct expt_table_event *event_of(const struct firefox *firefox, size_t i)
{
	size_t first = firefox->lanes.begins[firefox->own.visit - 1];

	return &firefox->own.whole->events[firefox->lanes.events[first + i]];
}

static void cell_stack(struct firefox *firefox, size_t i)
{
	const struct expt_tables *whole = firefox->own.whole;
	uint32_t stack = firefox_tables_stack(
		&firefox->own, whole->stacks[event_of(firefox, i)->stack].node);

	if (stack == FIREFOX_NONE)
		fputs("null", firefox->out);
	else
		write_number(firefox->out, stack);
}

static void cell_time(struct firefox *firefox, size_t i)
{
	write_fraction(firefox->out, event_of(firefox, i)->time_ns, MS_DIGITS);
}

static void cell_weight(struct firefox *firefox, size_t i)
{
	int64_t value = event_of(firefox, i)->value;

	if (source_metric(firefox->source, 0)->unit != EXPT_UNIT_TIME) {
		write_signed(firefox->out, value);
		return;
	}
	if (value < 0)
		putc_unlocked('-', firefox->out);
	write_fraction(firefox->out, value < 0 ? -(uint64_t)value : (uint64_t)value,
		       MS_DIGITS);
}

static const char *weight_type(const struct expt_metric *metric)
{
	if (metric->unit == EXPT_UNIT_TIME)
		return "tracing-ms";
	return strcmp(metric_unit(metric), "bytes") == 0 ? "bytes" : "samples";
}

static void write_samples(struct firefox *firefox, size_t count)
{
	fputs("\"samples\":{", firefox->out);
	firefox_column(firefox, "stack", count, cell_stack);
	firefox_column(firefox, "time", count, cell_time);
	firefox_column(firefox, "weight", count, cell_weight);
	fprintf(firefox->out, "\"weightType\":\"%s\",\"length\":%zu},\n",
		weight_type(source_metric(firefox->source, 0)), count);
}

/* ---- markers ---- */

enum { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* Events of the log that are marks of their process. */
static const struct mark {
	enum expt_event_kind kind;
	const char *name;
	int phase;
} marks[] = {
	{ EXPT_EVENT_SAMPLE, "Sample", PHASE_INSTANT },
	{ EXPT_EVENT_PAUSE, "Paused", PHASE_START },
	{ EXPT_EVENT_RESUME, "Paused", PHASE_END },
	{ EXPT_EVENT_GC_START, "Garbage collection", PHASE_START },
	{ EXPT_EVENT_GC_END, "Garbage collection", PHASE_END },
	{ EXPT_EVENT_DESC_STARTED, "Descendant", PHASE_INSTANT },
	{ EXPT_EVENT_EXEC_START, "exec", PHASE_INSTANT },
};

static const struct mark *mark_of(const struct expt_event *event)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks) && event->has_time; i++)
		if (marks[i].kind == event->kind)
			return &marks[i];
	return NULL;
}

/* Keep the numbers of the events of an experiment that are marks. false: out of
 * memory. */
static bool find_marks(struct firefox *firefox, const struct expt *expt)
{
	firefox->expt = expt;
	firefox->marks.count = 0;
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		size_t *added = NULL;

		if (mark_of(expt_event(expt, i)) && !(added = array_add(&firefox->marks)))
			return false;
		if (added)
			*added = i;
	}
	return true;
}

static const struct expt_event *marked_event(const struct firefox *firefox, size_t i)
{
	return expt_event(firefox->expt, firefox->marks.items[i]);
}

static void cell_mark_data(struct firefox *firefox, size_t i)
{
	const struct expt_event *event = marked_event(firefox, i);
	const char *label = expt_event_attribute(event, "label");

	fputs("{\"type\":\"Text\",\"name\":", firefox->out);
	write_json_text(firefox->out, label ? label : event->text);
	putc_unlocked('}', firefox->out);
}

static void cell_mark_name(struct firefox *firefox, size_t i)
{
	write_number(firefox->out,
		     strings_number(&firefox->strings,
				    mark_of(marked_event(firefox, i))->name));
}

static void write_mark_time(struct firefox *firefox, size_t i, bool is_here)
{
	if (is_here)
		write_fraction(firefox->out,
			       firefox->later_ns + marked_event(firefox, i)->time_ns,
			       MS_DIGITS);
	else
		fputs("null", firefox->out);
}

static void cell_mark_start(struct firefox *firefox, size_t i)
{
	write_mark_time(firefox, i,
			mark_of(marked_event(firefox, i))->phase != PHASE_END);
}

static void cell_mark_end(struct firefox *firefox, size_t i)
{
	write_mark_time(firefox, i,
			mark_of(marked_event(firefox, i))->phase == PHASE_END);
}

static void cell_mark_phase(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, (uint64_t)mark_of(marked_event(firefox, i))->phase);
}

static void cell_mark_category(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, 0);
}

/* The marks of a process are those of its first thread with samples. */
static void write_markers(struct firefox *firefox, uint32_t number, bool is_first)
{
	const struct expt_view *view = firefox->source->view;
	size_t own = firefox->own.whole->threads[number].expt;
	const struct expt *expt = expt_view_expt(view, own);
	const struct expt *founder = expt_view_expt(view, expt_view_founder(view, own));
	uint64_t start = expt_info(expt)->start_ns;
	size_t count;

	firefox->later_ns = start > expt_info(founder)->start_ns
				    ? start - expt_info(founder)->start_ns
				    : 0;
	if (!find_marks(firefox, expt))
		firefox->own.is_short = true;
	count = is_first ? firefox->marks.count : 0;
	fputs("\"markers\":{", firefox->out);
	firefox_column(firefox, "data", count, cell_mark_data);
	firefox_column(firefox, "name", count, cell_mark_name);
	firefox_column(firefox, "startTime", count, cell_mark_start);
	firefox_column(firefox, "endTime", count, cell_mark_end);
	firefox_column(firefox, "phase", count, cell_mark_phase);
	firefox_column(firefox, "category", count, cell_mark_category);
	fprintf(firefox->out, "\"length\":%zu},\n", count);
}

/* ---- threads ---- */

static void write_thread_head(struct firefox *firefox, uint32_t number)
{
	const struct expt_table_thread *thread = &firefox->own.whole->threads[number];
	int64_t pid = thread_info(firefox->source, number)->pid;
	char name[THREAD_NAME_SIZE];
	FILE *out = firefox->out;

	fputs("{\"processType\":\"default\",\"processStartupTime\":0,"
	      "\"processShutdownTime\":null,\"registerTime\":0,"
	      "\"unregisterTime\":null,\"pausedRanges\":[],\"name\":",
	      out);
	thread_name(name, firefox->source, number);
	write_json_text(out, name);
	fputs(",\"processName\":", out);
	process_name(name, firefox->source, number);
	write_json_text(out, name);
	fprintf(out, ",\"isMainThread\":%s,\"pid\":\"%lld\",\"tid\":%llu,\n",
		thread->lwp == (uint64_t)pid ? "true" : "false", (long long)pid,
		(unsigned long long)thread->lwp);
}

static void write_threads(struct firefox *firefox)
{
	const char *separator = "\n";
	size_t last = SIZE_MAX;

	fputs("\"threads\":[", firefox->out);
	for (uint32_t i = 0; i < firefox->own.whole->thread_count; i++) {
		size_t count = firefox->lanes.begins[i + 1] - firefox->lanes.begins[i];

		firefox_tables_begin(&firefox->own);
		if (count == 0)
			continue;
		fputs(separator, firefox->out);
		write_thread_head(firefox, i);
		write_markers(firefox, i, firefox->own.whole->threads[i].expt != last);
		last = firefox->own.whole->threads[i].expt;
		write_samples(firefox, count);
		firefox_write_tables(firefox);
		putc_unlocked('}', firefox->out);
		separator = ",\n";
	}
	fputs("],\n", firefox->out);
}

/* ---- load objects ---- */

/* Write the id by which symbol servers know an object: the first bytes of the build-id as
 * a GUID, whose first three numbers are in the other order of bytes, and an age of 0. */
static void write_breakpad_id(FILE *out, const char *build_id)
{
	static const unsigned char order[BREAKPAD_BYTES] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	size_t length = strlen(build_id);

	for (size_t i = 0; length > 0 && i < BREAKPAD_BYTES; i++)
		for (size_t j = 0; j < 2; j++) {
			size_t digit = 2 * (size_t)order[i] + j;

			putc_unlocked(digit < length ? toupper(build_id[digit]) : '0',
				      out);
		}
	putc_unlocked('0', out);
}

static void write_object(FILE *out, const struct expt_object *object, const char *arch)
{
	const char *path = expt_object_path(object);
	const char *build_id = expt_object_build_id(object);

	fputs("{\"arch\":", out);
	write_json_text(out, arch);
	fputs(",\"name\":", out);
	write_json_text(out, path_base(path));
	fputs(",\"path\":", out);
	write_json_text(out, path);
	fputs(",\"debugName\":", out);
	write_json_text(out, path_base(path));
	fputs(",\"debugPath\":", out);
	write_json_text(out, path);
	fputs(",\"breakpadId\":\"", out);
	write_breakpad_id(out, build_id);
	fputs("\",\"codeId\":", out);
	if (*build_id)
		write_json_text(out, build_id);
	else
		fputs("null", out);
	putc_unlocked('}', out);
}

static void write_objects(struct firefox *firefox)
{
	const struct expt_tables *whole = firefox->own.whole;
	const struct expt *first = expt_view_expt(firefox->source->view, 0);

	fputs("\"libs\":[", firefox->out);
	for (size_t i = 0; i < whole->object_count; i++) {
		fputs(i > 0 ? ",\n" : "\n", firefox->out);
		write_object(firefox->out, whole->objects[i], expt_info(first)->arch);
	}
	fputs("],\n", firefox->out);
}

/* ---- the rest ---- */

static void write_meta(struct firefox *firefox)
{
	const struct expt *first = expt_view_expt(firefox->source->view, 0);
	const struct expt_info *info = expt_info(first);
	uint64_t interval = expt_clock_interval_us(first);
	FILE *out = firefox->out;

	if (interval == 0)
		interval = expt_clock_period_us(first);
	fputs("{\"meta\":{\"interval\":", out);
	write_fraction(out, interval ? interval : US_PER_MS, 3);
	fprintf(out, ",\"startTime\":%lld", (long long)info->started_at * MS_PER_SECOND);
	fputs(",\"processType\":0,\"product\":", out);
	write_json_text(out, expt_view_name(firefox->source->view, 0));
	fputs(",\"arguments\":", out);
	write_json_text(out, info->command);
	fputs(",\"oscpu\":", out);
	write_json_text(out, info->os);
	fprintf(out, ",\"logicalCPUs\":%u", info->cpu_count);
	fprintf(out, ",\"stackwalk\":1,\"version\":%d,\"preprocessedProfileVersion\":%d",
		GECKO_VERSION, PROCESSED_VERSION);
	fputs(",\"importedFrom\":\"erkit\",\"symbolicated\":true,\n\"categories\":["
	      "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	      "{\"name\":\"Program\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]}"
	      "],\n\"markerSchema\":[{\"name\":\"Text\",\"display\":[\"marker-chart\","
	      "\"marker-table\",\"timeline-overview\"],\"fields\":[{\"key\":\"name\","
	      "\"label\":\"Details\",\"format\":\"string\"}]}],\"usesOnlyOneStackType\":"
	      "true,"
	      "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,"
	      "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
	      "\"threadCPUDelta\":\"ns\"}},\n",
	      out);
}

/* The texts come after the threads, which number them. */
static void write_strings(struct firefox *firefox)
{
	fputs("\"shared\":{\"stringArray\":[", firefox->out);
	for (size_t i = 0; i < firefox->strings.all.count; i++) {
		fputs(i > 0 ? ",\n" : "\n", firefox->out);
		write_json_text(firefox->out, firefox->strings.all.items[i]);
	}
	fputs("]},\n", firefox->out);
}

static void write_file(struct firefox *firefox)
{
	write_meta(firefox);
	write_objects(firefox);
	write_threads(firefox);
	write_strings(firefox);
	fputs("\"pages\":[],\"profilerOverhead\":[]}\n", firefox->out);
}

static int write_firefox(FILE *out, const struct source *source)
{
	struct firefox firefox = { .source = source, .out = out };
	bool is_good = firefox_tables_make(&firefox.own, source->tables) &&
		       lanes_make(&firefox.lanes, source->tables);

	if (is_good)
		write_file(&firefox);
	is_good = is_good && !firefox.own.is_short && !firefox.strings.is_short;
	firefox_tables_release(&firefox.own);
	lanes_release(&firefox.lanes);
	strings_release(&firefox.strings);
	array_release(&firefox.marks);
	return is_good ? 0 : -ENOMEM;
}

const struct format firefox_format = {
	.name = "firefox",
	.has_one_metric = true,
	.has_times = true,
	.lacks = "has no other metrics in the same file",
	.write = write_firefox,
};
