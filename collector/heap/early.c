/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for the dynamic linker while it searches for the real functions: handed out
 * once, and never freed. */

#include "collector/heap/early.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#define ALIGNMENT 16

/* The size of each block precedes it. */
static char memory[16384] __attribute__((aligned(ALIGNMENT)));
static _Atomic size_t used;

void *early_get(size_t size)
{
	size_t at;

	if (size > sizeof(memory) / 2) {
		errno = ENOMEM;
		return NULL;
	}
	at = atomic_fetch_add(&used, (size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	if (at >= sizeof(memory) || sizeof(memory) - at < size + ALIGNMENT) {
		errno = ENOMEM;
		return NULL;
	}
	*(size_t *)(void *)(memory + at) = size;
	return memory + at + ALIGNMENT;
}

bool early_has(const void *block)
{
	return (uintptr_t)block - (uintptr_t)memory < sizeof(memory);
}

size_t early_size(const void *block)
{
	return *(const size_t *)((const void *)((const char *)block - ALIGNMENT));
}
