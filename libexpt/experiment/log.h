/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of log.xml, warnings.xml and notes, read by log.c. */
#ifndef LIBEXPT_EXPERIMENT_LOG_H
#define LIBEXPT_EXPERIMENT_LOG_H

#include "libexpt/base/arena.h"
#include "libexpt/experiment/handle.h"

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
	struct {
		struct log_length {
			const char *file;
			uint64_t bytes;
		} * items;
		size_t count, capacity;
	} lengths;     /* of files when the recording ended */
	uint32_t data; /* that either of them has: bits by enum expt_data */
};

struct expt_log *log_new(void); /* empty; NULL if out of memory */
/* Parse the bytes of one file; called by fuzzing, too. */
int log_parse(struct expt_log *log, struct expt *expt, const char *file,
	      const void *bytes, size_t size, struct expt_error *err);
int log_read(struct expt_log **out, struct expt *expt, struct expt_error *err);
void log_close(struct expt_log *log);

/* Returns how many bytes of the file were recorded, or 0 if the log does not say. */
uint64_t log_recorded_length(const struct expt_log *log, const char *file);

#endif
