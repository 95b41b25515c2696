/* SPDX-License-Identifier: Apache-2.0 */
/* How log.xml describes the packets of a data file: a reader takes the fields from there. */
#ifndef COLLECTOR_PACKET_H
#define COLLECTOR_PACKET_H

#include <collector/text.h>
#include <libexpt/format.h>

struct packet_field {
	const char *name, *title; /* title: NULL for what is not shown */
	const char *type;	  /* "INT32", "INT64" ... */
	size_t offset;		  /* in the packet */
};

/* The elements for the file and its packets, which go into a <profile>: first the fields of struct
 * event_head, then these. */
void packet_describe(struct text *text, const char *file, enum packet_type type,
		     const char *title, const struct packet_field *fields, size_t count);

#endif
