/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is released in one go: the many small strings and records of one file.
 * Nothing in it moves, so pointers into it stay valid until arena_release().
 */
#ifndef LIBEXPT_BASE_ARENA_H
#define LIBEXPT_BASE_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_chunk *chunks;
	size_t used, capacity; /* of the newest chunk */
};

void *arena_alloc(struct arena *arena, size_t size); /* zeroed, aligned to 16; or NULL */
char *arena_text(struct arena *arena, const char *text,
		 size_t length); /* NUL added; or NULL */
/* Returns directory/name, or a copy of name if directory is ""; or NULL. */
char *arena_path(struct arena *arena, const char *directory, const char *name);
void arena_release(struct arena *arena);

#endif
