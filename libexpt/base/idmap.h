/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map from 64-bit keys to 32-bit indexes: an open-addressed hash table, for stack uids,
 * addresses and hashes of names. Nothing is ever removed.
 */
#ifndef LIBEXPT_BASE_IDMAP_H
#define LIBEXPT_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap {
	struct idmap_slot *slots;
	size_t count, capacity; /* capacity is 0 or a power of two */
	uint64_t seed;		/* odd */
	unsigned shift;		/* 64 less the bits of the capacity */
};

struct idmap_slot {
	uint64_t key;
	uint32_t value;
	bool is_used;
};

/* Returns the key's slot, or the unused one where it belongs; there are slots. Keys may
 * be addresses or counters: the product spreads them over the high bits. The seed is
 * secret, so that a file cannot aim at a slot: two keys share one as often as by chance
 * (multiply-shift hashing). */
static inline struct idmap_slot *idmap_slot(const struct idmap *map, uint64_t key)
{
	size_t i = (size_t)(key * map->seed >> map->shift);

	while (map->slots[i].is_used && map->slots[i].key != key)
		i = (i + 1) & (map->capacity - 1);
	return &map->slots[i];
}

/* Returns the value slot of key, IDMAP_NONE if the key is new; NULL: out of memory. Valid
 * until the next idmap_add(). */
uint32_t *idmap_add(struct idmap *map, uint64_t key);
/* Returns the value of a key, or IDMAP_NONE. */
static inline uint32_t idmap_find(const struct idmap *map, uint64_t key)
{
	const struct idmap_slot *slot;

	if (map->capacity == 0)
		return IDMAP_NONE;
	slot = idmap_slot(map, key);
	return slot->is_used ? slot->value : IDMAP_NONE;
}

/* Store every key at its value. */
void idmap_list(const struct idmap *map, uint64_t *keys);
bool idmap_reserve(struct idmap *map, size_t count);
void idmap_release(struct idmap *map);

/* Keys of other things than numbers: begin with IDMAP_KEY and add one piece after the
 * other. Different things may get the same key. */
#define IDMAP_KEY UINT64_C(0xcbf29ce484222325)
uint64_t idmap_key(uint64_t key, const void *bytes, size_t length);
/* The same for a number, faster. A key that is a number itself has to be added to
 * IDMAP_KEY first: two numbers would only be mixed by their difference. */
static inline uint64_t idmap_number_key(uint64_t key, uint64_t number)
{
	key = (key ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}
uint64_t idmap_text_key(uint64_t key, const char *text); /* the NUL included */

#endif
