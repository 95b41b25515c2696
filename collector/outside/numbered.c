/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/numbered.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_FIRST  1024 /* a power of two, as all sizes */
#define FREE_NUMBER INT_MIN

static pid_t *slot_at(const struct numbered *table, size_t at)
{
	return (pid_t *)(void *)((char *)table->slots + at * table->width);
}

/* Returns the item of that number, or the free slot for it. */
static pid_t *slot_of(const struct numbered *table, pid_t number)
{
	size_t at = (uint32_t)number * UINT32_C(2654435761) & (table->size - 1);
	pid_t *slot;

	for (;;) {
		slot = slot_at(table, at);
		if (*slot == number || *slot == FREE_NUMBER)
			return slot;
		at = (at + 1) & (table->size - 1);
	}
}

static bool grow(struct numbered *table, size_t width)
{
	struct numbered old = *table;

	table->width = width;
	table->size = old.size > 0 ? 2 * old.size : SIZE_FIRST;
	table->slots = malloc(table->size * width);
	if (!table->slots) {
		*table = old;
		return false;
	}
	for (size_t i = 0; i < table->size; i++)
		*slot_at(table, i) = FREE_NUMBER;
	for (size_t i = 0; i < old.size; i++) {
		const pid_t *slot = slot_at(&old, i);

		if (*slot != FREE_NUMBER)
			memcpy(slot_of(table, *slot), slot, width);
	}
	free(old.slots);
	return true;
}

void *numbered_find(const struct numbered *table, pid_t number)
{
	pid_t *slot = table->size > 0 ? slot_of(table, number) : NULL;

	return slot && *slot == number ? slot : NULL;
}

void *numbered_get(struct numbered *table, size_t width, pid_t number, bool *is_new)
{
	pid_t *slot;

	if (table->used * 4 >= table->size * 3 && !grow(table, width))
		return NULL;
	slot = slot_of(table, number);
	*is_new = *slot == FREE_NUMBER;
	if (*is_new) {
		memset(slot, 0, width);
		*slot = number;
		table->used++;
	}
	return slot;
}

void *numbered_next(const struct numbered *table, const void *item)
{
	size_t at = item ? (size_t)((const char *)item - (const char *)table->slots) /
					    table->width +
				    1
			 : 0;

	for (; at < table->size; at++)
		if (*slot_at(table, at) != FREE_NUMBER)
			return slot_at(table, at);
	return NULL;
}

void numbered_release(struct numbered *table)
{
	free(table->slots);
	*table = (struct numbered){ 0 };
}
