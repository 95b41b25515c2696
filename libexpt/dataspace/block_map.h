/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps of memory by address, each of which says what is there at a moment. A copy of a
 * map costs nothing: maps share the nodes of their trees, and a node that others use is
 * copied when one of them changes it.
 */
#ifndef LIBEXPT_DATASPACE_BLOCK_MAP_H
#define LIBEXPT_DATASPACE_BLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The call that allocated a block, or made a mapping. */
struct allocation {
	uint64_t address, size;
	uint64_t time_ns, stack, thread; /* of its record */
	uint32_t member;		 /* whose record it is */
};

/* The nodes of all maps, by number; 0 is none. What only results need is apart, so that
 * more of the trees fits the caches. */
struct block_pool {
	struct block_node *items;
	size_t count, capacity;
	struct {
		struct allocation *items;
		size_t count, capacity;
	} allocations;
	uint32_t unused; /* the first of a list */
	uint64_t random;
	bool has_failed; /* memory ran out: maps may lack something */
};

typedef uint32_t block_map; /* the root of a tree; 0: nothing is there */

/* Add a range from start to end in which nothing is. */
void block_map_add(struct block_pool *pool, block_map *map, uint64_t start, uint64_t end,
		   const struct allocation *allocation);
/* Remove what is in a range: with trims, only these bytes; else all that has one of
 * them. */
void block_map_cut(struct block_pool *pool, block_map *map, uint64_t start, uint64_t end,
		   bool trims);
/* Remove what begins exactly at the address. */
void block_map_take(struct block_pool *pool, block_map *map, uint64_t start);
/* Returns the allocation at an address, valid until a map changes; NULL: nothing is
 * there. */
const struct allocation *block_map_find(const struct block_pool *pool, block_map map,
					uint64_t address);
block_map block_map_copy(struct block_pool *pool, block_map map);
void block_map_clear(struct block_pool *pool, block_map *map);
void block_pool_release(struct block_pool *pool);

#endif
