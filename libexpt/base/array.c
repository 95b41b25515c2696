/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/array.h"

#include <stdint.h>
#include <sys/mman.h>

#define LARGE	   ((size_t)4 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

/* The first use of a page costs more than what is usually written to it. */
void array_use_large_pages(void *memory, size_t size)
{
	size_t skipped = -(uintptr_t)memory & (LARGE_PAGE - 1);

	if (size >= LARGE)
		madvise((char *)memory + skipped, size - skipped, MADV_HUGEPAGE);
}

void *array_zeroed(size_t count, size_t size)
{
	void *items = calloc(count, size);

	if (items)
		array_use_large_pages(items, count * size);
	return items;
}

void *array_grow_(void *items, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? *capacity * 2 : 8;
	void *grown = reallocarray(items, wanted, size);

	if (!grown)
		return NULL;
	array_use_large_pages(grown, wanted * size);
	*capacity = wanted;
	return grown;
}
