/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Chunks begin small and grow: the arenas of thousands of descendants hold a few words
 * each. */
#define CHUNK_MIN 512u
#define CHUNK_MAX 16384u

struct arena_chunk {
	struct arena_chunk *next;
	alignas(16) char bytes[];
};

static size_t next_capacity(const struct arena *arena, size_t size)
{
	size_t capacity = arena->chunks ? arena->capacity * 2 : CHUNK_MIN;

	if (capacity > CHUNK_MAX)
		capacity = CHUNK_MAX;
	return size > capacity ? size : capacity;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk;
	char *bytes;

	if (size > (size_t)-1 / 2)
		return NULL;
	size = (size + 15) & ~(size_t)15;
	if (!arena->chunks || size > arena->capacity - arena->used) {
		size_t capacity = next_capacity(arena, size);

		chunk = calloc(1, sizeof(*chunk) + capacity);
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

char *arena_path(struct arena *arena, const char *directory, const char *name)
{
	size_t length = strlen(directory), size = strlen(name) + 1;
	char *path = arena_alloc(arena, length + 1 + size);

	if (!path)
		return NULL;
	memcpy(path, directory, length);
	if (length > 0)
		path[length++] = '/';
	memcpy(path + length, name, size);
	return path;
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
