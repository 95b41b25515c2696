/* SPDX-License-Identifier: Apache-2.0 */
/* How log.xml describes the packets of a data file: a reader takes the fields from there.
 */
#ifndef COLLECTOR_PACKET_H
#define COLLECTOR_PACKET_H

#include "collector/base/text.h"
#include "libexpt/format.h"

struct packet_field {
	const char *name, *title; /* title: NULL for what is not shown */
	const char *type;	  /* "INT32", "INT64" ... */
	size_t offset;		  /* in the packet */
};

/* What all packets of a kind have. */
enum packet_form {
	PACKET_EVENT,		/* struct event_head */
	PACKET_TRACE,		/* struct trace_head, and a stack behind it */
	PACKET_TRACE_STACKLESS, /* struct trace_head */
};

/* The element for the file of a kind of data, and one for each of its packets: they go
 * into a <profile>. */
void packet_describe_file(struct text *text, const char *file);
void packet_describe(struct text *text, enum packet_type type, const char *title,
		     enum packet_form form, const struct packet_field *fields,
		     size_t count);

#endif
