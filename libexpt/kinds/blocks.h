/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a process has allocated at a given time: blocks by address, and mappings,
 * which can be unmapped in parts. Both know the call stack that allocated them. */
#ifndef LIBEXPT_KINDS_BLOCKS_H
#define LIBEXPT_KINDS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block {
	uint64_t address, size;
	uint32_t stack;
	bool is_used; /* marks a used slot of the table */
};

/* Open addressing; a freed slot is filled with a later entry. */
struct blocks {
	struct block *slots;
	size_t count, capacity;
};

/* Add a block; none may be known at the address. false: out of memory. */
bool blocks_add(struct blocks *blocks, uint64_t address, uint64_t size, uint32_t stack);
bool blocks_has(const struct blocks *blocks, uint64_t address);
/* Remove the block; false: none is known there. */
bool blocks_take(struct blocks *blocks, uint64_t address, struct block *taken);
void blocks_release(struct blocks *blocks);

/* A range of bytes from start to end, the rest of a mapping or part of it. */
struct extent {
	uint64_t start, end;
	uint32_t mapping;
};

struct mapping {
	uint64_t bytes; /* still mapped */
	uint32_t stack;
};

struct mappings {
	struct {
		struct extent *items; /* by address, without overlaps */
		size_t count, capacity;
	} extents;
	struct {
		struct mapping *items; /* in the order of allocation */
		size_t count, capacity;
	} all;
};

/* Add a mapping; the caller cuts earlier ones there first. false: out of memory. */
bool mappings_add(struct mappings *mappings, uint64_t start, uint64_t size,
		  uint32_t stack);
/* Cut the bytes out of all mappings; gone is called for each extent, with the bytes it
 * has lost. false: out of memory. */
typedef void (*mapping_gone)(void *context, const struct mapping *mapping,
			     uint64_t bytes);
bool mappings_cut(struct mappings *mappings, uint64_t start, uint64_t size,
		  mapping_gone gone, void *context);
void mappings_release(struct mappings *mappings);

#endif
