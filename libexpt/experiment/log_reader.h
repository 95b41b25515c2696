/* SPDX-License-Identifier: Apache-2.0 */
/* The state of reading a log, and functions shared by its elements. */
#ifndef LIBEXPT_EXPERIMENT_LOG_READER_H
#define LIBEXPT_EXPERIMENT_LOG_READER_H

#include "libexpt/experiment/log.h"
#include "libexpt/xml/xml.h"

/* One file of the log while it is read. */
struct log_reader {
	struct expt *expt;
	struct expt_log *log;
	const char *file;
	unsigned line;		/* of the current element */
	bool messages_only;	/* warnings.xml */
	bool declarations_only; /* metadata.KIND.xml */
	bool is_exec_pending;	/* an exec was attempted, and no later event shows that it
				   failed */
	bool is_in_event;	/* the newest event gets the text */

	/* The profile and the packet being declared. */
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
/* Returns a copy that lives as long as the log; NULL if out of memory. */
const char *log_text(struct log_reader *reader, const char *text);
/* Get the number in an attribute: false if it is missing or malformed; the latter is also
 * reported as damage. */
bool log_number(struct log_reader *reader, const struct xml_element *element,
		const char *name, uint64_t *value);

void log_signed(struct log_reader *reader, const struct xml_element *element,
		const char *name, int64_t *value);
/* Copy all attributes; the copy lives as long as the log. */
int log_attributes(struct log_reader *reader, const struct xml_element *element,
		   const struct expt_attribute **out, size_t *count);
/* Take the process ids, which several elements have. */
void log_ids(struct log_reader *reader, const struct xml_element *element);

#endif
