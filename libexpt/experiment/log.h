/* SPDX-License-Identifier: Apache-2.0 */
/* What log.xml, warnings.xml and notes say, as log.c, log_events.c and log_packets.c fill it in. */
#ifndef LIBEXPT_LOG_H
#define LIBEXPT_LOG_H

#include "libexpt/experiment/handle.h"
#include "libexpt/xml/xml.h"

struct expt_log {
	struct arena strings;
	struct expt_info info;
	const char *notes;
	struct {
		struct expt_attribute *items;
		size_t count, capacity;
	} settings;
	struct {
		struct expt_event *items;
		size_t count, capacity;
	} events;
	struct {
		struct expt_profile *items;
		size_t count, capacity;
	} profiles;
	struct {
		struct expt_packet_declaration *items;
		size_t count, capacity;
	} declarations;
};

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

struct expt_log *log_new(void); /* empty; or NULL */
/* Parse the bytes of one file; what fuzzing calls. */
int log_parse(struct expt_log *log, struct expt *expt, const char *file,
	      const void *bytes, size_t size, struct expt_error *err);

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

/* Events (log_events.c). */
int log_start_event(struct log_reader *reader, const struct xml_element *element);
int log_end_event(struct log_reader *reader, const char *text);

/* The elements that declare packets (log_packets.c). */
int log_start_profile(struct log_reader *reader, const struct xml_element *element);
int log_end_profile(struct log_reader *reader, const char *text);
int log_start_profdata(struct log_reader *reader, const struct xml_element *element);
int log_start_profpckt(struct log_reader *reader, const struct xml_element *element);
int log_end_profpckt(struct log_reader *reader, const char *text);
int log_start_field(struct log_reader *reader, const struct xml_element *element);

#endif
