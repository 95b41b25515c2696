/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator of a program's own, linked to it or in a library. */

#include <stddef.h>
#include <stdint.h>

unsigned long own_calls;
static char memory[1 << 20] __attribute__((aligned(16)));
static size_t used;

void *malloc(size_t size)
{
	char *block = memory + __atomic_fetch_add(&used, (size + 31) / 16 * 16, 5);

	__atomic_fetch_add(&own_calls, 1, 5);
	*(size_t *)(void *)block = size;
	return block < memory + sizeof(memory) - size - 32 ? block + 16 : NULL;
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size); /* fresh memory is zero */
}

void *realloc(void *old, size_t size)
{
	char *block = malloc(size);
	size_t length = old ? ((size_t *)old)[-2] : 0;

	for (size_t i = 0; block && i < length && i < size; i++)
		block[i] = ((char *)old)[i];
	return block;
}

void free(void *block)
{
	(void)block;
}
