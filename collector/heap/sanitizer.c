/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run-time of a sanitizer has an allocator of its own, which the program calls
 * instead of these wrappers; see common/sanitizer.h. It calls these hooks. A reallocated
 * block is reported as freed and allocated.
 */

#include "collector/heap/heap.h"

extern int __sanitizer_install_malloc_and_free_hooks(
	void (*allocated)(const volatile void *block, size_t size),
	void (*freeing)(const volatile void *block)) __attribute__((weak));

static void sanitizer_allocated(const volatile void *block, size_t size)
{
	heap_allocated(heap_begin(), (void *)block, size);
}

static void sanitizer_freeing(const volatile void *block)
{
	heap_freed(heap_freeing((void *)block));
}

__attribute__((constructor)) static void install(void)
{
	if (__sanitizer_install_malloc_and_free_hooks)
		__sanitizer_install_malloc_and_free_hooks(sanitizer_allocated,
							  sanitizer_freeing);
}
