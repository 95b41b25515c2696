/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/chain.h"

#include "collector/outside/stacks.h"
#include "collector/outside/walk.h"
#include "libexpt/format.h"

struct chain {
	uint64_t *pcs;
	size_t count;
	const struct mappings *mappings;
	struct kernel_code *kernel;
	chain_map *map;
	void *data;
};

/* is_exact: the address is where the thread was, not where a call returns to. */
static void add_kernel(struct chain *chain, uint64_t pc, bool is_exact)
{
	struct kernel_part *part;

	pc -= !is_exact;
	part = kernel_code_find(chain->kernel, &pc);
	if (part)
		chain->map(chain->data, part);
	chain->pcs[chain->count++] = pc;
}

static void add_user(struct chain *chain, uint64_t pc, bool is_exact)
{
	chain->pcs[chain->count++] = is_exact ? pc : walk_call(chain->mappings, pc);
}

static bool is_mark(uint64_t pc)
{
	return pc >= (uint64_t)PERF_CONTEXT_MAX;
}

/* Frames of the chain: all, or those of the kernel. Marks tell which those are, and the
 * first frame after a mark is exact. */
static void add_chain(struct chain *chain, const struct event *event, bool has_user)
{
	const struct perf_record *record = &event->record;
	bool is_exact = true, is_kernel = record->is_in_kernel;

	for (size_t i = 0; i < record->pc_count; i++) {
		uint64_t pc = record->pcs[i];

		if (is_mark(pc)) {
			is_kernel = pc == (uint64_t)PERF_CONTEXT_KERNEL;
			is_exact = true;
			continue;
		}
		if (pc == 0)
			break;
		if (chain->count + 1 == STACK_PCS_MAX) {
			chain->pcs[chain->count++] = STACK_TRUNCATED;
			return;
		}
		if (is_kernel)
			add_kernel(chain, pc, is_exact);
		else if (has_user)
			add_user(chain, pc, is_exact);
		is_exact = false;
	}
}

static void add_walked(struct chain *chain, const struct event *event)
{
	size_t room = STACK_PCS_MAX - chain->count;

	/* A walk may add a mark to its frames. */
	if (room > 2)
		chain->count += walk_record(chain->pcs + chain->count, room - 1,
					    &event->record, chain->mappings,
					    event->is_cut);
}

size_t chain_read(uint64_t *pcs, const struct event *event,
		  const struct mappings *mappings, struct kernel_code *kernel,
		  chain_map *map, void *data)
{
	struct chain chain = { pcs, 0, mappings, kernel, map, data };
	const struct perf_record *record = &event->record;
	bool is_walked = record->registers && record->stack;

	add_chain(&chain, event, !is_walked);
	if (is_walked) {
		if (record->is_in_kernel && chain.count == 0)
			add_kernel(&chain, record->pc, true);
		add_walked(&chain, event);
	}
	if (chain.count > 0)
		return chain.count;
	if (record->is_in_kernel)
		add_kernel(&chain, record->pc, true);
	else
		add_user(&chain, record->pc, true);
	return chain.count;
}
