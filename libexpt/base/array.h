/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing arrays: any struct with the three members items, count and capacity.
 *
 *	struct { struct segment *items; size_t count, capacity; } segments = { 0 };
 *	struct segment *new = array_add(&segments);	NULL: out of memory
 */
#ifndef LIBEXPT_BASE_ARRAY_H
#define LIBEXPT_BASE_ARRAY_H

#include <stdlib.h>
#include <string.h>

/* Returns a new, zeroed last item, or NULL. Pointers to items are valid until the next
 * array_add. */
#define array_add(array)                                                          \
	((__typeof__((array)->items))array_add_(&(array)->items, &(array)->count, \
						&(array)->capacity,               \
						sizeof(*(array)->items)))

#define array_release(array)                            \
	do {                                            \
		free((array)->items);                   \
		(array)->items = NULL;                  \
		(array)->count = (array)->capacity = 0; \
	} while (0)

/* Let memory of a large array or table, as malloc() or realloc() returned it, have few
 * large pages. Smaller memory remains as it is. */
void array_use_large_pages(void *memory, size_t size);
/* The same as calloc(), with large pages. */
void *array_zeroed(size_t count, size_t size);

/* For array_add(): returns items with room for more, or NULL. */
void *array_grow_(void *items, size_t *capacity, size_t size);

static inline void *array_add_(void *items, size_t *count, size_t *capacity, size_t size)
{
	char *base;

	memcpy(&base, items, sizeof(base));
	if (*count == *capacity) {
		base = array_grow_(base, capacity, size);
		if (!base)
			return NULL;
		memcpy(items, &base, sizeof(base));
	}
	return memset(base + (*count)++ * size, 0, size);
}

#endif
