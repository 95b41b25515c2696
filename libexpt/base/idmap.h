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
	uint64_t seed;
};

/* Returns the value slot of key, IDMAP_NONE if the key is new; NULL: out of memory. Valid
 * until the next idmap_add(). */
uint32_t *idmap_add(struct idmap *map, uint64_t key);
uint32_t idmap_find(const struct idmap *map, uint64_t key); /* or IDMAP_NONE */
bool idmap_reserve(struct idmap *map, size_t count);
void idmap_release(struct idmap *map);

/* Keys of other things than numbers: begin with IDMAP_KEY and add one piece after the
 * other. Different things may get the same key. */
#define IDMAP_KEY UINT64_C(0xcbf29ce484222325)
uint64_t idmap_key(uint64_t key, const void *bytes, size_t length);
uint64_t idmap_text_key(uint64_t key, const char *text); /* the NUL included */

#endif
