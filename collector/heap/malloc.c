/* SPDX-License-Identifier: Apache-2.0 */
/* The malloc family of C. */

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "collector/files/files.h"
#include "collector/heap/early.h"
#include "collector/heap/heap.h"

HEAP_WRAPPER(void *, malloc, (size_t size))
{
	HEAP_REAL(malloc, GLIBC, void *, (size_t));
	struct thread *thread;

	if (!real)
		return early_get(size);
	thread = heap_begin();
	return heap_allocated(thread, real(size), size);
}

#define HEAP_FREE(symbol)                                 \
	HEAP_WRAPPER(void, symbol, (void *block))         \
	{                                                 \
		HEAP_REAL(symbol, GLIBC, void, (void *)); \
		struct thread *thread;                    \
                                                          \
		if (!real || early_has(block))            \
			return;                           \
		thread = heap_freeing(block);             \
		real(block);                              \
		heap_freed(thread);                       \
	}

HEAP_FREE(free)
HEAP_FREE(cfree) /* used by old programs only */

/* An overflow gives SIZE_MAX, which cannot be allocated. */
static size_t product(size_t count, size_t size)
{
	size_t result;

	return __builtin_mul_overflow(count, size, &result) ? SIZE_MAX : result;
}

HEAP_WRAPPER(void *, calloc, (size_t count, size_t size))
{
	HEAP_REAL(calloc, GLIBC, void *, (size_t, size_t));
	struct thread *thread;

	if (!real) /* the static memory is zero */
		return early_get(product(count, size));
	thread = heap_begin();
	return heap_allocated(thread, real(count, size), product(count, size));
}

/* ---- realloc ---- */

HEAP_INLINE void heap_moved(struct thread *thread, const void *block, size_t size,
			    const void *old)
{
	struct heap_move_packet packet = {
		.heap = { .head = { .what = EXPT_HEAP_REALLOCATE,
				    .time_ns = trace_now() },
			  .address = (uintptr_t)block,
			  .size = size },
		.old_address = (uintptr_t)old,
	};

	trace_record(thread, DATA_HEAP, PACKET_HEAP_MOVE, &packet.heap.head,
		     sizeof(packet), TRACE_WITH_STACK);
}

/* If the block has moved, another thread may have been given its old address already: so
 * the old block is freed at the time the call began, and the new one allocated now. */
HEAP_INLINE void *heap_reallocated(struct thread *thread, void *block, size_t size,
				   void *old, uint64_t began_ns)
{
	heap_made(block, size);
	if (!thread)
		return block;
	if (!block && old && size == 0) {
		heap_freed_at(thread, old, began_ns);
	} else if (!block) {
		; /* the old block is unchanged */
	} else if (!old) {
		heap_allocated_at(thread, EXPT_HEAP_ALLOCATE, block, size);
	} else if ((block == old || __libc_single_threaded) && heap_wants(size)) {
		heap_moved(thread, block, size, old);
	} else {
		heap_freed_at(thread, old, began_ns);
		heap_allocated_at(thread, EXPT_HEAP_REALLOCATE, block, size);
	}
	trace_end(thread);
	return block;
}

/* Replace a block of early_get() by one from malloc. */
static void *leave_early(const void *old, size_t size)
{
	size_t length = early_size(old);
	void *block = size > 0 ? malloc(size) : NULL;

	if (block)
		memcpy(block, old, length < size ? length : size);
	return block;
}

HEAP_WRAPPER(void *, realloc, (void *old, size_t size))
{
	HEAP_REAL(realloc, GLIBC, void *, (void *, size_t));
	struct thread *thread;
	uint64_t began_ns;

	if (early_has(old))
		return leave_early(old, size);
	if (!real)
		return early_get(size);
	thread = heap_begin();
	began_ns = thread ? trace_now() : 0;
	heap_gone(old);
	return heap_reallocated(thread, real(old, size), size, old, began_ns);
}

HEAP_WRAPPER(void *, reallocarray, (void *old, size_t count, size_t size))
{
	HEAP_REAL(reallocarray, "GLIBC_2.26", void *, (void *, size_t, size_t));
	struct thread *thread;
	uint64_t began_ns;

	if (early_has(old) || !real)
		return realloc(old, product(count, size));
	thread = heap_begin();
	began_ns = thread ? trace_now() : 0;
	heap_gone(old);
	return heap_reallocated(thread, real(old, count, size), product(count, size), old,
				began_ns);
}

HEAP_WRAPPER(size_t, malloc_usable_size, (void *block))
{
	HEAP_REAL(malloc_usable_size, GLIBC, size_t, (void *));

	if (early_has(block))
		return early_size(block);
	return real ? real(block) : 0;
}
