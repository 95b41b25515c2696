/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of the wrappers of functions that allocate. */
#ifndef COLLECTOR_HEAP_HEAP_H
#define COLLECTOR_HEAP_HEAP_H

#include "collector/base/interpose.h"
#include "collector/files/files.h"
#include "collector/heap/find.h"
#include "collector/sources/heap.h"
#include "collector/trace/trace.h"
#include "collector/watch/blocks.h"

#define HEAP_WRAPPER(type, name, parameters)                               \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

/* For a lookup of all of them, see find.c. */
#define HEAP_SECTION __attribute__((section("heap_reals"), aligned(8)))

/* Declare the real function as a pointer `real` of its type; NULL while this thread is
 * searching for it, and if there is none. */
#define HEAP_REAL(symbol, version, type, parameters)                                 \
	static struct real real_##symbol HEAP_SECTION = { #symbol, version, NULL };  \
	type(*const real)                                                            \
		parameters = __builtin_expect(real_##symbol.function != NULL, 1)     \
				     ? atomic_load_explicit(&real_##symbol.function, \
							    memory_order_relaxed)    \
				     : heap_find(&real_##symbol)
#define GLIBC "GLIBC_2.2.5"

#define HEAP_INLINE static inline __attribute__((always_inline))

/* These record the call of the wrapper they are inlined in, so that the wrapper is the
 * leaf of the stack. An allocation has the time after the call, a free the time before
 * it: so no block is freed before it is allocated. Failed calls are not recorded: they
 * change nothing, and some readers would count their bytes. */

HEAP_INLINE bool heap_wants(size_t size)
{
	return __builtin_expect(size - heap_range.smallest <= heap_range.span, 1);
}

HEAP_INLINE struct thread *heap_begin(void)
{
	return heap_range.is_recorded ? trace_begin() : NULL;
}

HEAP_INLINE void heap_made(const void *block, size_t size)
{
	if (__builtin_expect(watch_blocks_are_known, 0))
		watch_block_made(block, size);
}

/* Call before the block is freed. */
HEAP_INLINE void heap_gone(const void *block)
{
	if (__builtin_expect(watch_blocks_are_known, 0))
		watch_block_gone(block);
}

HEAP_INLINE void heap_allocated_at(struct thread *thread, enum expt_heap_call what,
				   const void *block, size_t size)
{
	struct heap_packet packet = {
		.head = { .what = what, .time_ns = trace_now() },
		.address = (uintptr_t)block,
		.size = size,
	};

	if (heap_wants(size))
		trace_record(thread, DATA_HEAP, PACKET_HEAP, &packet.head, sizeof(packet),
			     TRACE_WITH_STACK);
}

HEAP_INLINE void *heap_allocated(struct thread *thread, void *block, size_t size)
{
	heap_made(block, size);
	if (thread) {
		if (block)
			heap_allocated_at(thread, EXPT_HEAP_ALLOCATE, block, size);
		trace_end(thread);
	}
	return block;
}

HEAP_INLINE void heap_freed_at(struct thread *thread, const void *block, uint64_t time_ns)
{
	struct heap_free_packet packet = {
		.head = { .what = EXPT_HEAP_FREE, .time_ns = time_ns },
		.address = (uintptr_t)block,
	};

	trace_record(thread, DATA_HEAP, PACKET_HEAP_FREE, &packet.head, sizeof(packet),
		     TRACE_WITHOUT_STACK);
}

/* Call before the block is freed. */
HEAP_INLINE struct thread *heap_freeing(const void *block)
{
	struct thread *thread = block ? heap_begin() : NULL;

	heap_gone(block);
	if (thread)
		heap_freed_at(thread, block, trace_now());
	return thread;
}

HEAP_INLINE void heap_freed(struct thread *thread)
{
	if (thread)
		trace_end(thread);
}

#endif
