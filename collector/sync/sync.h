/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of functions that wait have in common. */
#ifndef COLLECTOR_SYNC_SYNC_H
#define COLLECTOR_SYNC_SYNC_H

#include <collector/trace.h>

#define SYNC_WRAPPER(type, name, parameters)                               \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

/* Record the wait for object that has just ended, and end the call that began with thread. */
static inline void sync_waited(struct thread *thread, const void *object, uint64_t start)
{
	struct sync_packet packet = {
		.head.time_ns = trace_now(),
		.requested_ns = start,
		.object = (uintptr_t)object,
	};

	trace_record(thread, DATA_SYNC, PACKET_SYNC, &packet.head, sizeof(packet),
		     TRACE_WITH_STACK);
	trace_end(thread);
}

#endif
