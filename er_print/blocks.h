/* SPDX-License-Identifier: Apache-2.0 */
/* What a process has allocated at a moment: blocks by their address, and mappings, of
 * which any part may go. Both know the call stack they come from. */
#ifndef ER_PRINT_BLOCKS_H
#define ER_PRINT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block {
	uint64_t address, size;
	uint32_t stack;
	bool is_used; /* as a slot of the table */
};

/* Open addressing; a slot that becomes free is filled from behind. */
struct blocks {
	struct block *slots;
	size_t count, capacity;
};

/* false: out of memory. None may be known at the address. */
bool blocks_add(struct blocks *blocks, uint64_t address, uint64_t size, uint32_t stack);
bool blocks_has(const struct blocks *blocks, uint64_t address);
/* Takes the block out; false: none is known there. */
bool blocks_take(struct blocks *blocks, uint64_t address, struct block *taken);
void blocks_release(struct blocks *blocks);

/* The bytes from start to end, all that is left of a mapping or a part of it. */
struct extent {
	uint64_t start, end;
	uint32_t mapping;
};

struct mapping {
	uint64_t bytes; /* still there */
	uint32_t stack;
};

struct mappings {
	struct {
		struct extent *items; /* by address, without overlaps */
		size_t count, capacity;
	} extents;
	struct {
		struct mapping *items; /* in the order in which they came */
		size_t count, capacity;
	} all;
};

/* false: out of memory. What was there before is to be cut first. */
bool mappings_add(struct mappings *mappings, uint64_t start, uint64_t size,
		  uint32_t stack);
/* Cut all mappings to what lies outside of the bytes; gone is called for each extent,
 * with what it has lost. false: out of memory. */
typedef void (*mapping_gone)(void *context, const struct mapping *mapping,
			     uint64_t bytes);
bool mappings_cut(struct mappings *mappings, uint64_t start, uint64_t size,
		  mapping_gone gone, void *context);
void mappings_release(struct mappings *mappings);

#endif
