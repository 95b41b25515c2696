/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: what an event is worth. */
#ifndef ER_PRINT_IO_H
#define ER_PRINT_IO_H

#include <stdint.h>

#include "er_print/session.h"
#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

extern const struct data_kind io_kind;

/* Its metrics, in their order. */
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

/* What a record says. Its name is copied into names, if that is given; false: out of
 * memory. */
bool io_event_read(struct io_event *event, const struct expt_record *record,
		   struct arena *names);
/* Add what the event is worth to values, one per metric. */
void io_event_measure(const struct io_event *event, int64_t *values);

/* The number of the first metric above among all; the i-th of them is behind it. */
size_t io_metric_base(void);

/* Whether there is I/O data at all; if not, that is said. */
bool io_is_recorded(struct session *session);

#endif
