/* SPDX-License-Identifier: Apache-2.0 */
/* A log while it is read, and what its elements share. */
#ifndef LIBEXPT_EXPERIMENT_LOG_READER_H
#define LIBEXPT_EXPERIMENT_LOG_READER_H

#include "libexpt/experiment/log.h"
#include "libexpt/xml/xml.h"

/* A file of the log while it is read. */
struct log_reader {
	struct expt *expt;
	struct expt_log *log;
	const char *file;
	unsigned line;	      /* of the current element */
	bool messages_only;   /* warnings.xml */
	bool is_exec_pending; /* nothing since says that the process went on */
	bool is_in_event;     /* the newest event takes the text */

	/* The profile and the packet that are being declared. */
	enum expt_data data;
	bool is_in_packet;
	struct expt_packet_declaration packet;
	struct {
		struct expt_field_declaration *items;
		size_t count, capacity;
	} fields;
};

void log_damage(struct log_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A copy that lives as long as the log; NULL when out of memory. */
const char *log_text(struct log_reader *reader, const char *text);
/* The number in an attribute: false if there is none; a malformed one is damage, too. */
bool log_number(struct log_reader *reader, const struct xml_element *element,
		const char *name, uint64_t *value);

void log_signed(struct log_reader *reader, const struct xml_element *element,
		const char *name, int64_t *value);
/* A copy of all attributes that lives as long as the log. */
int log_attributes(struct log_reader *reader, const struct xml_element *element,
		   const struct expt_attribute **out, size_t *count);
/* The numbers by which a system knows a process; several elements have them. */
void log_ids(struct log_reader *reader, const struct xml_element *element);

#endif
