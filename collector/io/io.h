/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of I/O have in common. */
#ifndef COLLECTOR_IO_IO_H
#define COLLECTOR_IO_IO_H

#include <collector/trace.h>

#define IO_WRAPPER(type, name, parameters)                                 \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

struct io_call {
	struct thread *thread; /* NULL: it is not recorded */
	uint64_t start;
};

static inline struct io_call io_begin(void)
{
	struct thread *thread = trace_begin();

	return (struct io_call){ thread, thread != NULL ? trace_now() : 0 };
}

/* A call that moved bytes; fewer than 0: it failed. */
static inline void io_end(const struct io_call *call, enum expt_io_call what, int fd,
			  int64_t bytes)
{
	struct io_packet packet = {
		.head = { .what = bytes < 0 ? (int)what + EXPT_IO_FAILED : (int)what },
		.fd = fd,
		.bytes = bytes,
		.requested_ns = call->start,
		.file_system = EXPT_FS_UNKNOWN,
	};

	if (call->thread == NULL)
		return;
	packet.head.time_ns = trace_now();
	trace_record(call->thread, DATA_IO, PACKET_IO, &packet.head, sizeof(packet),
		     TRACE_WITH_STACK);
	trace_end(call->thread);
}

#endif
