/* SPDX-License-Identifier: Apache-2.0 */
/* Memory straight from mmap: the program's malloc is never called and behaves as without
 * the collector. */

#include "collector/base/memory.h"

#include <stdatomic.h>

#include "collector/base/system.h"

#define CHUNK_SIZE (256 * 1024)

struct chunk {
	_Atomic size_t used;
	char bytes[];
};

static _Atomic(struct chunk *) current;

void *memory_get_pages(size_t size)
{
	return sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void memory_return_pages(void *pages, size_t size)
{
	sys_munmap(pages, size);
}

static struct chunk *replace_chunk(struct chunk *full)
{
	struct chunk *fresh = memory_get_pages(CHUNK_SIZE);

	if (!fresh)
		return NULL;
	atomic_init(&fresh->used, 16);
	if (atomic_compare_exchange_strong(&current, &full, fresh))
		return fresh;
	memory_return_pages(fresh, CHUNK_SIZE);
	return full;
}

void *memory_get(size_t size)
{
	struct chunk *chunk = atomic_load(&current);

	size = (size + 15) & ~(size_t)15;
	if (size > CHUNK_SIZE / 4)
		return memory_get_pages(size);
	for (;;) {
		if (chunk) {
			size_t at = atomic_fetch_add(&chunk->used, size);

			if (at + size <= CHUNK_SIZE)
				return (char *)chunk + at;
		}
		chunk = replace_chunk(chunk);
		if (!chunk)
			return NULL;
	}
}
