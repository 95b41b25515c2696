/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks and mappings of a process, as its calls of heap tracing change them. */
#ifndef LIBEXPT_DATASPACE_PROCESS_BLOCKS_H
#define LIBEXPT_DATASPACE_PROCESS_BLOCKS_H

#include "libexpt/dataspace/block_map.h"
#include "libexpt/kinds/heap_calls.h"

struct process_blocks {
	block_map blocks, mappings;
};

/* Follow a call. What it allocates takes the place of all that is known there; only_ends:
 * it is not known itself. */
void process_blocks_follow(struct process_blocks *process, struct block_pool *pool,
			   const struct heap_call *call,
			   const struct allocation *allocation, uint64_t page_size,
			   bool only_ends);
/* Returns the block at an address, or else the mapping; NULL: none is known. */
const struct allocation *process_blocks_find(const struct process_blocks *process,
					     const struct block_pool *pool,
					     uint64_t address);
struct process_blocks process_blocks_copy(const struct process_blocks *process,
					  struct block_pool *pool);
void process_blocks_forget(struct process_blocks *process, struct block_pool *pool);

#endif
