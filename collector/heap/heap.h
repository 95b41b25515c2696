/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of functions that allocate have in common. */
#ifndef COLLECTOR_HEAP_HEAP_H
#define COLLECTOR_HEAP_HEAP_H

#include <collector/trace.h>

#define HEAP_WRAPPER(type, name, parameters)                               \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

/* Record the call that began with thread, and end it. An allocation is recorded when it has been made,
 * a free before it is done: so no block is freed before it is allocated. */
static inline void heap_allocated(struct thread *thread, const void *block, size_t size)
{
	struct heap_packet packet = {
		.head = { .what = EXPT_HEAP_ALLOCATE, .time_ns = trace_now() },
		.address = (uintptr_t)block,
		.size = size,
	};

	trace_record(thread, DATA_HEAP, PACKET_HEAP, &packet.head, sizeof(packet),
		     TRACE_WITH_STACK);
	trace_end(thread);
}

static inline void heap_freed(struct thread *thread, const void *block)
{
	struct heap_free_packet packet = {
		.head = { .what = EXPT_HEAP_FREE, .time_ns = trace_now() },
		.address = (uintptr_t)block,
	};

	trace_record(thread, DATA_HEAP, PACKET_HEAP_FREE, &packet.head, sizeof(packet),
		     TRACE_WITHOUT_STACK);
	trace_end(thread);
}

#endif
