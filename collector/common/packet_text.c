/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/common/packet_text.h"

static const struct packet_field event_fields[] = {
	{ "LWPID", "Lightweight process id", "INT64", offsetof(struct event_head, lwp) },
	{ "THRID", "Thread number", "INT64", offsetof(struct event_head, thread) },
	{ "CPUID", "CPU id", "INT32", offsetof(struct event_head, cpu) },
	{ "TSTAMP", "High resolution timestamp", "INT64",
	  offsetof(struct event_head, time_ns) },
	{ "FRINFO", NULL, "INT64", offsetof(struct event_head, stack) },
};

#define TRACE_STACK sizeof(struct trace_head)
static const struct packet_field trace_fields[] = {
	{ "LWPID", "Lightweight process id", "INT32",
	  offsetof(struct trace_head, thread) },
	{ "THRID", "Thread number", "INT32", offsetof(struct trace_head, thread) },
	{ "TSTAMP", "High resolution timestamp", "INT64",
	  offsetof(struct trace_head, time_ns) },
	{ "FRINFO", NULL, "INT64", TRACE_STACK },
};
#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))

static void add_fields(struct text *text, const struct packet_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text_add(text, "    <field");
		text_add_attribute(text, "name", fields[i].name);
		if (fields[i].title)
			text_add_attribute(text, "uname", fields[i].title);
		text_add_number(text, "offset", (int64_t)fields[i].offset);
		text_add_attribute(text, "type", fields[i].type);
		text_add(text, "/>\n");
	}
}

void packet_describe_file(struct text *text, const char *file)
{
	text_add(text, "  <profdata");
	text_add_attribute(text, "fname", file);
	text_add(text, "/>\n");
}

void packet_describe(struct text *text, enum packet_type type, const char *title,
		     enum packet_form form, const struct packet_field *fields,
		     size_t count)
{
	text_add(text, "  <profpckt");
	text_add_number(text, "kind", type);
	text_add_attribute(text, "uname", title);
	text_add(text, ">\n");
	if (form == PACKET_EVENT)
		add_fields(text, event_fields, COUNT(event_fields));
	else
		add_fields(text, trace_fields,
			   COUNT(trace_fields) - (form == PACKET_TRACE_STACKLESS));
	add_fields(text, fields, count);
	text_add(text, "  </profpckt>\n");
}
