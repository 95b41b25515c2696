/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE 16384u

struct arena_chunk {
	struct arena_chunk *next;
	alignas(16) char bytes[];
};

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk;
	char *bytes;

	if (size > (size_t)-1 / 2)
		return NULL;
	size = (size + 15) & ~(size_t)15;
	if (!arena->chunks || size > arena->capacity - arena->used) {
		size_t capacity = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		chunk = calloc(1, sizeof *chunk + capacity);
		if (!chunk)
			return NULL;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->used = 0;
		arena->capacity = capacity;
	}
	bytes = arena->chunks->bytes + arena->used;
	arena->used += size;
	return bytes;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	if (copy)
		memcpy(copy, text, length);
	return copy;
}

void arena_release(struct arena *arena)
{
	struct arena_chunk *chunk = arena->chunks, *next;

	for (; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	*arena = (struct arena){ 0 };
}
