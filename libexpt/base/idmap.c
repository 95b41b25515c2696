/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/random.h"

struct idmap_slot {
	uint64_t key;
	uint32_t value;
	bool is_used;
};

/* Keys may be addresses or counters: spread them over the low bits (the finalizer of
 * splitmix64). The seed keeps a hostile file from choosing keys that all fall into one
 * slot. */
static size_t slot_of(const struct idmap *map, uint64_t key)
{
	key ^= map->seed;
	key ^= key >> 30;
	key *= UINT64_C(0xbf58476d1ce4e5b9);
	key ^= key >> 27;
	key *= UINT64_C(0x94d049bb133111eb);
	key ^= key >> 31;
	return (size_t)key & (map->capacity - 1);
}

static struct idmap_slot *find_slot(const struct idmap *map, uint64_t key)
{
	size_t i = slot_of(map, key);

	while (map->slots[i].is_used && map->slots[i].key != key)
		i = (i + 1) & (map->capacity - 1);
	return &map->slots[i];
}

static bool resize(struct idmap *map, size_t capacity)
{
	struct idmap_slot *slots = calloc(capacity, sizeof(*slots));
	struct idmap old = *map;

	if (!slots)
		return false;
	if (!old.capacity)
		map->seed = random_number();
	map->slots = slots;
	map->capacity = capacity;
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].is_used)
			*find_slot(map, old.slots[i].key) = old.slots[i];
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
	slot = find_slot(map, key);
	if (!slot->is_used) {
		*slot = (struct idmap_slot){ .key = key,
					     .value = IDMAP_NONE,
					     .is_used = true };
		map->count++;
	}
	return &slot->value;
}

uint32_t idmap_find(const struct idmap *map, uint64_t key)
{
	if (!map->capacity)
		return IDMAP_NONE;

	const struct idmap_slot *slot = find_slot(map, key);

	return slot->is_used ? slot->value : IDMAP_NONE;
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
