/* SPDX-License-Identifier: Apache-2.0 */
/* The description of a data file's packets in log.xml, where readers find the fields. */
#ifndef COLLECTOR_COMMON_PACKET_TEXT_H
#define COLLECTOR_COMMON_PACKET_TEXT_H

#include "collector/base/text.h"
#include "libexpt/format.h"

struct packet_field {
	const char *name, *title; /* title: NULL if not shown */
	const char *type;	  /* "INT32", "INT64" ... */
	size_t offset;		  /* in the packet */
};

/* The fields that all packets of a kind begin with. */
enum packet_form {
	PACKET_EVENT,		/* struct event_head */
	PACKET_TRACE,		/* struct trace_head, followed by a stack */
	PACKET_TRACE_STACKLESS, /* struct trace_head */
};

/* The element for a data file, and one for each kind of its packets; both go into a
 * <profile>. */
void packet_describe_file(struct text *text, const char *file);
void packet_describe(struct text *text, enum packet_type type, const char *title,
		     enum packet_form form, const struct packet_field *fields,
		     size_t count);

#endif
