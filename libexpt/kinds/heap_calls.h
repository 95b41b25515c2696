/* SPDX-License-Identifier: Apache-2.0 */
/* Effects of heap calls on the memory of a process, in the order of time. */
#ifndef LIBEXPT_KINDS_HEAP_CALLS_H
#define LIBEXPT_KINDS_HEAP_CALLS_H

#include "libexpt/expt.h"
#include "libexpt/kinds/blocks.h"

struct heap_call {
	int64_t what; /* enum expt_heap_call, or another number */
	uint64_t address, size, old_address;
};

struct heap_call heap_call_read(const struct expt_record *record);
/* Check whether a call, that of realloc, has freed the block at its old address. */
bool heap_call_frees_old(const struct heap_call *call);
/* Returns the size that the kernel unmaps; gprofng uses the size requested. */
uint64_t heap_whole_pages(uint64_t size, uint64_t page_size);

/* The caller's functions. Those that return false are out of memory. */
struct heap_effects {
	/* Returns a number for a call that allocates, by which it is known from then on;
	 * IDMAP_NONE: out of memory. */
	uint32_t (*number)(void *context, const struct expt_record *record);
	bool (*allocate)(void *context, uint32_t number, uint64_t size, uint64_t time_ns);
	/* Memory of a call is freed: all that is left of it, or a part. */
	void (*release)(void *context, uint32_t number, uint64_t bytes, bool is_all);
	/* The free of what was at the address of a new block was not recorded: the new
	 * one counts as leaked from now on. */
	void (*lose)(void *context, uint32_t number, uint64_t size);
	/* A call of an unknown kind. */
	bool (*guess)(void *context, uint32_t number, uint64_t size);
};

/* The memory of a process. */
struct heap_calls {
	struct blocks blocks;
	struct mappings mappings;
	uint64_t page_size;
	const struct heap_effects *effects;
	void *context;
};

/* Follow the next call. false: out of memory. */
bool heap_calls_follow(struct heap_calls *calls, const struct expt_record *record);
void heap_calls_release(struct heap_calls *calls);

#endif
