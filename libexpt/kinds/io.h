/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: events and their metrics. */
#ifndef LIBEXPT_KINDS_IO_H
#define LIBEXPT_KINDS_IO_H

#include "libexpt/base/arena.h"
#include "libexpt/events/kind.h"

extern const struct data_kind io_kind; /* its metrics are those of enum expt_io_metric */

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
/* Returns "ext4", or NULL for an unknown file system. */
const char *io_file_system_name(int64_t file_system);
/* Add the event to values, one per metric. */
void io_event_measure(const struct io_event *event, int64_t *values);

#endif
