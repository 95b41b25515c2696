/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/random.h"

static bool resize(struct idmap *map, size_t capacity)
{
	struct idmap_slot *slots = array_zeroed(capacity, sizeof(*slots));
	struct idmap old = *map;

	if (!slots)
		return false;
	if (!old.capacity)
		map->seed = random_seed() | 1;
	map->slots = slots;
	map->capacity = capacity;
	map->shift = 64 - (unsigned)__builtin_ctzll(capacity);
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].is_used)
			*idmap_slot(map, old.slots[i].key) = old.slots[i];
	free(old.slots);
	return true;
}

bool idmap_reserve(struct idmap *map, size_t count)
{
	size_t capacity = map->capacity ? map->capacity : 16;

	while (count > capacity / 2)
		if (__builtin_mul_overflow(capacity, 2, &capacity))
			return false;
	return capacity == map->capacity || resize(map, capacity);
}

uint32_t *idmap_add(struct idmap *map, uint64_t key)
{
	struct idmap_slot *slot;

	if (map->count >= map->capacity / 2 && !idmap_reserve(map, map->count + 1))
		return NULL;
	slot = idmap_slot(map, key);
	if (!slot->is_used) {
		*slot = (struct idmap_slot){ .key = key,
					     .value = IDMAP_NONE,
					     .is_used = true };
		map->count++;
	}
	return &slot->value;
}

void idmap_list(const struct idmap *map, uint64_t *keys)
{
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].is_used)
			keys[map->slots[i].value] = map->slots[i].key;
}

void idmap_release(struct idmap *map)
{
	free(map->slots);
	*map = (struct idmap){ 0 };
}

/* FNV-1a */
uint64_t idmap_key(uint64_t key, const void *bytes, size_t length)
{
	const unsigned char *next = bytes;

	while (length-- > 0)
		key = (key ^ *next++) * UINT64_C(0x100000001b3);
	return key;
}

uint64_t idmap_text_key(uint64_t key, const char *text)
{
	return idmap_key(key, text, strlen(text) + 1);
}
