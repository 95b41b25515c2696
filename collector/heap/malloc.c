/* SPDX-License-Identifier: Apache-2.0 */
/* The malloc family of C. */

#include <collector/heap/heap.h>
#include <collector/interpose.h>
#include <stdlib.h>

/* What dlsym(3) asks for while we look for the functions behind ours; never given back. */
static char early[4096] __attribute__((aligned(16)));
static _Atomic size_t early_used;

static void *get_early(size_t size)
{
	size_t rounded = (size + 15) & ~(size_t)15;
	size_t at = atomic_fetch_add(&early_used, rounded);

	return size <= sizeof(early) && at + rounded <= sizeof(early) ? early + at : NULL;
}

static bool is_early(const void *block)
{
	return (const char *)block >= early && (const char *)block < early + sizeof(early);
}

static _Atomic bool is_searching;

/* NULL: the search is what asks. */
static void *find(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	if (function != NULL || atomic_exchange(&is_searching, true))
		return function;
	function = real_function(real);
	atomic_store(&is_searching, false);
	return function;
}

#define HEAP_REAL(symbol, type, parameters)                                  \
	static struct real real_##symbol = { #symbol, "GLIBC_2.2.5", NULL }; \
	type(*const real) parameters = find(&real_##symbol)

HEAP_WRAPPER(void *, malloc, (size_t size))
{
	HEAP_REAL(malloc, void *, (size_t));
	struct thread *thread = trace_begin();
	void *block = real != NULL ? real(size) : get_early(size);

	if (thread != NULL)
		heap_allocated(thread, block, size);
	return block;
}

HEAP_WRAPPER(void, free, (void *block))
{
	HEAP_REAL(free, void, (void *));
	struct thread *thread = block != NULL && !is_early(block) ? trace_begin() : NULL;

	if (thread != NULL)
		heap_freed(thread, block);
	if (block != NULL && !is_early(block) && real != NULL)
		real(block);
}
