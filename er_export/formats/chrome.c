/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace events of Chrome. Samples of the clock or a counter are a CPU profile for each
 * thread: a tree of calls, and samples of it, each of which lasts until the next; where a
 * thread had no samples it is idle. A sample that stands for more time than passed since
 * the one before it begins at the end of that, so that no time is lost. Calls that were
 * traced are events with a duration and a stack.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "er_export/formats/calls.h"
#include "er_export/formats/lanes.h"
#include "er_export/formats/private.h"
#include "libexpt/cli/write.h"

#define NS_PER_US 1000
#define CATEGORY  "\"cat\":\"disabled-by-default-v8.cpu_profiler\""

enum { NODE_ROOT = 1, NODE_IDLE, NODE_FIRST }; /* ids; calls follow */

struct chrome {
	const struct source *source;
	struct calls calls;
	struct lanes lanes;
	uint32_t *visits; /* for each call: the last thread, from 1, that had it */
	uint32_t *climb;  /* room for the calls of a stack */
	FILE *out;
	const char *separator;
};

static void begin_event(struct chrome *chrome, const char *phase, const char *name,
			uint32_t thread)
{
	const struct expt_table_thread *own = &chrome->source->tables->threads[thread];

	fprintf(chrome->out, "%s{\"ph\":\"%s\",\"name\":\"", chrome->separator, phase);
	write_json(chrome->out, name, strlen(name));
	fputs("\",\"pid\":", chrome->out);
	write_signed(chrome->out, thread_info(chrome->source, thread)->pid);
	fputs(",\"tid\":", chrome->out);
	write_number(chrome->out, own->lwp);
	chrome->separator = ",\n";
}

static void write_names(struct chrome *chrome, uint32_t thread)
{
	char name[THREAD_NAME_SIZE];

	process_name(name, chrome->source, thread);
	begin_event(chrome, "M", "process_name", thread);
	fputs(",\"args\":{\"name\":", chrome->out);
	write_json_text(chrome->out, name);
	fputs("}}", chrome->out);
	thread_name(name, chrome->source, thread);
	begin_event(chrome, "M", "thread_name", thread);
	fputs(",\"args\":{\"name\":", chrome->out);
	write_json_text(chrome->out, name);
	fputs("}}", chrome->out);
}

static uint32_t call_of_event(const struct chrome *chrome, size_t number)
{
	const struct expt_tables *tables = chrome->source->tables;
	uint32_t stack = tables->events[chrome->lanes.events[number]].stack;

	return chrome->calls.of_node[tables->stacks[stack].node];
}

/* ---- the tree of a thread ---- */

static void write_invented_node(FILE *out, int id, const char *name, int parent)
{
	fprintf(out,
		"{\"id\":%d,\"callFrame\":{\"functionName\":\"%s\",\"scriptId\":\"0\","
		"\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}",
		id, name);
	if (parent)
		fprintf(out, ",\"parent\":%d", parent);
	putc_unlocked('}', out);
}

static void write_node(struct chrome *chrome, uint32_t call)
{
	const struct call *own = &chrome->calls.all.items[call];
	FILE *out = chrome->out;
	uint32_t line;
	const char *path = function_source(chrome->source, own->function, &line);

	fputs(",\n{\"id\":", out);
	write_number(out, call + NODE_FIRST);
	fputs(",\"callFrame\":{\"functionName\":", out);
	write_json_text(out, function_name(chrome->source, own->function));
	fputs(",\"scriptId\":\"0\",\"url\":", out);
	write_json_text(out, path ? path : "");
	/* Lines are counted from 0. */
	fputs(",\"lineNumber\":", out);
	write_signed(out, (int64_t)line - 1);
	fputs(",\"columnNumber\":-1},\"parent\":", out);
	write_number(out, own->parent ? own->parent + NODE_FIRST : NODE_ROOT);
	putc_unlocked('}', out);
}

/* Write the calls of an event that this thread has not had yet, callers first. */
static void write_new_nodes(struct chrome *chrome, uint32_t call, uint32_t visit)
{
	size_t count = 0;

	for (; call != 0 && chrome->visits[call] != visit;
	     call = chrome->calls.all.items[call].parent) {
		chrome->visits[call] = visit;
		chrome->climb[count++] = call;
	}
	while (count > 0)
		write_node(chrome, chrome->climb[--count]);
}

static void write_nodes(struct chrome *chrome, uint32_t thread)
{
	write_invented_node(chrome->out, NODE_ROOT, "(root)", 0);
	fputs(",\n", chrome->out);
	write_invented_node(chrome->out, NODE_IDLE, "(idle)", NODE_ROOT);
	for (size_t i = chrome->lanes.begins[thread];
	     i < chrome->lanes.begins[thread + 1]; i++)
		write_new_nodes(chrome, call_of_event(chrome, i), thread + 1);
}

/* ---- the samples of a thread ---- */

/* Either the ids of the nodes, or the times since the sample before. */
struct course {
	bool is_of_times;
	uint64_t end_ns;  /* of what was written so far */
	uint64_t last_us; /* the beginning of the last sample */
	const char *separator;
};

static void write_sample(FILE *out, struct course *course, uint32_t id, uint64_t begin_ns)
{
	uint64_t begin_us = begin_ns / NS_PER_US;

	fputs(course->separator, out);
	course->separator = ",";
	if (course->is_of_times)
		write_number(out, begin_us - course->last_us);
	else
		write_number(out, id);
	course->last_us = begin_us;
}

static void write_event(const struct chrome *chrome, struct course *course, size_t number)
{
	const struct expt_table_event *event =
		&chrome->source->tables->events[chrome->lanes.events[number]];
	uint64_t length = event->value > 0 ? (uint64_t)event->value : 0;
	uint64_t begin = event->time_ns > length ? event->time_ns - length : 0;
	uint32_t call = call_of_event(chrome, number);

	if (length == 0)
		return;
	if (begin > course->end_ns)
		write_sample(chrome->out, course, NODE_IDLE, course->end_ns);
	else
		begin = course->end_ns;
	write_sample(chrome->out, course, call ? call + NODE_FIRST : NODE_ROOT, begin);
	course->end_ns = begin + length;
}

/* Times begin with that of the profile. */
static struct course write_course(const struct chrome *chrome, uint32_t thread,
				  bool is_of_times)
{
	struct course course = { .is_of_times = is_of_times, .separator = "" };

	for (size_t i = chrome->lanes.begins[thread];
	     i < chrome->lanes.begins[thread + 1]; i++)
		write_event(chrome, &course, i);
	write_sample(chrome->out, &course, NODE_IDLE, course.end_ns);
	return course;
}

static void begin_profile_event(struct chrome *chrome, const char *name, uint32_t thread)
{
	begin_event(chrome, "P", name, thread);
	fprintf(chrome->out,
		"," CATEGORY ",\"id\":\"0x%x\",\"ts\":0,\"args\":{\"data\":{",
		thread + 1);
}

static void write_profile(struct chrome *chrome, uint32_t thread)
{
	FILE *out = chrome->out;
	struct course course;

	begin_profile_event(chrome, "Profile", thread);
	fputs("\"startTime\":0}}}", out);
	begin_profile_event(chrome, "ProfileChunk", thread);
	fputs("\"cpuProfile\":{\"nodes\":[\n", out);
	write_nodes(chrome, thread);
	fputs("],\n\"samples\":[", out);
	course = write_course(chrome, thread, false);
	fputs("]},\n\"timeDeltas\":[", out);
	write_course(chrome, thread, true);
	fprintf(out, "],\"endTime\":%llu}}}",
		(unsigned long long)(course.end_ns / NS_PER_US));
}

/* ---- calls that were traced ---- */

/* Microseconds with the nanoseconds after the point. */
static void write_us(FILE *out, uint64_t ns)
{
	write_fraction(out, ns, 3);
}

static void write_call(struct chrome *chrome, size_t number, uint32_t thread)
{
	const struct expt_table_event *event =
		&chrome->source->tables->events[chrome->lanes.events[number]];
	uint64_t length = event->value > 0 ? (uint64_t)event->value : 0;
	uint32_t call = call_of_event(chrome, number);
	FILE *out = chrome->out;

	if (length == 0)
		return;
	begin_event(chrome, "X",
		    call ? function_name(chrome->source,
					 chrome->calls.all.items[call].function)
			 : NO_STACK,
		    thread);
	fputs(",\"cat\":\"", out);
	fputs(source_metric(chrome->source, 0)->name, out);
	fputs("\",\"ts\":", out);
	write_us(out, event->time_ns > length ? event->time_ns - length : 0);
	fputs(",\"dur\":", out);
	write_us(out, length);
	if (call)
		fprintf(out, ",\"sf\":%u", call);
	putc_unlocked('}', out);
}

static void write_calls(struct chrome *chrome, uint32_t thread)
{
	for (size_t i = chrome->lanes.begins[thread];
	     i < chrome->lanes.begins[thread + 1]; i++)
		write_call(chrome, i, thread);
}

static void write_stack_frames(struct chrome *chrome)
{
	fputs("\"stackFrames\":{", chrome->out);
	for (uint32_t i = 1; i < chrome->calls.all.count; i++) {
		const struct call *call = &chrome->calls.all.items[i];

		fprintf(chrome->out, "%s\"%u\":{\"category\":\"function\",\"name\":",
			i > 1 ? ",\n" : "\n", i);
		write_json_text(chrome->out,
				function_name(chrome->source, call->function));
		if (call->parent)
			fprintf(chrome->out, ",\"parent\":\"%u\"", call->parent);
		putc_unlocked('}', chrome->out);
	}
	fputs("},\n", chrome->out);
}

/* ---- the format ---- */

static void write_file(struct chrome *chrome)
{
	const struct source *source = chrome->source;
	bool is_sampled = source_metric(source, 0)->is_sampled;

	fputs("{\"displayTimeUnit\":\"ns\",\n", chrome->out);
	if (!is_sampled)
		write_stack_frames(chrome);
	fputs("\"traceEvents\":[\n", chrome->out);
	for (uint32_t i = 0; i < source->tables->thread_count; i++) {
		if (chrome->lanes.begins[i] == chrome->lanes.begins[i + 1])
			continue;
		write_names(chrome, i);
		if (is_sampled)
			write_profile(chrome, i);
		else
			write_calls(chrome, i);
	}
	fputs("]}\n", chrome->out);
}

static bool make(struct chrome *chrome)
{
	const struct expt_tables *tables = chrome->source->tables;
	size_t count;

	if (!calls_make(&chrome->calls, tables) || !lanes_make(&chrome->lanes, tables))
		return false;
	count = chrome->calls.all.count;
	chrome->visits = calloc(count, sizeof(*chrome->visits));
	chrome->climb = calloc(count, sizeof(*chrome->climb));
	return chrome->visits && chrome->climb;
}

static int write_chrome(FILE *out, const struct source *source)
{
	struct chrome chrome = { .source = source, .out = out, .separator = "" };
	bool is_good = make(&chrome);

	if (is_good)
		write_file(&chrome);
	calls_release(&chrome.calls);
	lanes_release(&chrome.lanes);
	free(chrome.visits);
	free(chrome.climb);
	return is_good ? 0 : -ENOMEM;
}

const struct format chrome_format = {
	.name = "chrome",
	.has_one_metric = true,
	.has_times = true,
	.needs_time = true,
	.lacks = "has no load objects, and no lines but those where functions begin",
	.write = write_chrome,
};
