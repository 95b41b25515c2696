/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: events and their metrics. */
#ifndef ER_PRINT_IO_H
#define ER_PRINT_IO_H

#include <stdint.h>

#include "er_print/session.h"
#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

extern const struct data_kind io_kind;

/* Metrics of I/O, in the order of io_kind. */
enum io_metric {
	IO_READ_TIME,
	IO_READ_BYTES,
	IO_READ_COUNT,
	IO_WRITE_TIME,
	IO_WRITE_BYTES,
	IO_WRITE_COUNT,
	IO_OTHER_TIME,
	IO_OTHER_COUNT,
	IO_ERROR_TIME,
	IO_ERROR_COUNT,
	IO_METRIC_COUNT,
};

/* A call, as recorded. */
struct io_event {
	int64_t call; /* enum expt_io_call, or -1 */
	int64_t fd, old_fd, bytes, duration_ns, file_system;
	const char *name; /* NULL: none; see io_event_read() */
};

/* Read an event from a record, with a copy of its name if names is not NULL. false: out
 * of memory. */
bool io_event_read(struct io_event *event, const struct expt_record *record,
		   struct arena *names);
/* Add the event to values, one per metric. */
void io_event_measure(const struct io_event *event, int64_t *values);

/* Returns the index of the first I/O metric among all; the others follow. */
size_t io_metric_base(void);

/* Check whether there is any I/O data; report if there is none. */
bool io_is_recorded(struct session *session);

#endif
