/* SPDX-License-Identifier: Apache-2.0 */
/* A block that a call allocates is certainly there: any known in its place was freed
 * before, unseen. Metrics of the heap have other rules, which are those of gprofng: they
 * count blocks, and here a block must not be named for the data of another one. */
#include "libexpt/dataspace/process_blocks.h"

static uint64_t end_of(uint64_t start, uint64_t size)
{
	return size > UINT64_MAX - start ? UINT64_MAX : start + size;
}

/* Remove all that is known in a range. */
static void clear(struct process_blocks *process, struct block_pool *pool, uint64_t start,
		  uint64_t end)
{
	block_map_cut(pool, &process->blocks, start, end, false);
	block_map_cut(pool, &process->mappings, start, end, true);
}

static void map(struct process_blocks *process, struct block_pool *pool,
		const struct allocation *allocation, bool only_ends)
{
	uint64_t end = end_of(allocation->address, allocation->size);

	clear(process, pool, allocation->address, end);
	if (!only_ends)
		block_map_add(pool, &process->mappings, allocation->address, end,
			      allocation);
}

/* A block may lie in a mapping, of which an allocator makes blocks. One of 0 bytes has an
 * address of its own. */
static void allocate(struct process_blocks *process, struct block_pool *pool,
		     const struct allocation *allocation, bool only_ends)
{
	uint64_t size = allocation->size > 0 ? allocation->size : 1;

	block_map_cut(pool, &process->blocks, allocation->address,
		      end_of(allocation->address, size), false);
	if (!only_ends)
		block_map_add(pool, &process->blocks, allocation->address,
			      end_of(allocation->address, allocation->size), allocation);
}

void process_blocks_follow(struct process_blocks *process, struct block_pool *pool,
			   const struct heap_call *call,
			   const struct allocation *allocation, uint64_t page_size,
			   bool only_ends)
{
	if (heap_call_frees_old(call))
		block_map_take(pool, &process->blocks, call->old_address);
	if (call->address == 0)
		return;
	switch (call->what) {
	case EXPT_HEAP_FREE:
		block_map_take(pool, &process->blocks, call->address);
		return;
	case EXPT_HEAP_UNMAP:
		clear(process, pool, call->address,
		      end_of(call->address, heap_whole_pages(call->size, page_size)));
		return;
	case EXPT_HEAP_MAP:
		map(process, pool, allocation, only_ends);
		return;
	case EXPT_HEAP_ALLOCATE:
	case EXPT_HEAP_REALLOCATE:
		allocate(process, pool, allocation, only_ends);
		return;
	default:
		return;
	}
}

const struct allocation *process_blocks_find(const struct process_blocks *process,
					     const struct block_pool *pool,
					     uint64_t address)
{
	const struct allocation *found = block_map_find(pool, process->blocks, address);

	return found ? found : block_map_find(pool, process->mappings, address);
}

struct process_blocks process_blocks_copy(const struct process_blocks *process,
					  struct block_pool *pool)
{
	return (struct process_blocks){
		.blocks = block_map_copy(pool, process->blocks),
		.mappings = block_map_copy(pool, process->mappings),
	};
}

void process_blocks_forget(struct process_blocks *process, struct block_pool *pool)
{
	block_map_clear(pool, &process->blocks);
	block_map_clear(pool, &process->mappings);
}
