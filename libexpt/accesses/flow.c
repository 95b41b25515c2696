/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/flow.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/accesses/merge.h"
#include "libexpt/accesses/seeds.h"
#include "libexpt/base/array.h"
#include "libexpt/types/open.h"

/* A function with more blocks, or one that takes more visits of each, is given up: the
 * states of its blocks would take 100 MB. */
#define BLOCKS_MAX 50000
#define VISITS_MAX 64
#define PASSES	   4
/* So is one that takes this much work, about a second, counted as in types_spend(). */
#define WORK_MAX   UINT64_C(200000000)
#define WORK_STEP  40
#define WORK_MERGE 400

struct block {
	size_t first, end; /* steps */
	bool is_queued, is_seen;
	struct state state; /* before the first step */
};

struct flow {
	const struct function *function;
	struct seeds seeds;
	struct {
		struct block *items;
		size_t count;
	} blocks;
	uint32_t *block_of; /* each step */
	struct {
		uint32_t *items;
		size_t count, capacity;
	} queue;
	uint64_t visits, work_end;
	bool failed;
	struct state at_jumps; /* before jumps to anywhere, and after calls */
};

/* ---- blocks ------------------------------------------------------------------------ */

/* Returns the step at an address, or their number. */
static size_t step_at(const struct function *function, uint64_t address)
{
	size_t low = steps_before(function, address);

	return low < function->steps.count &&
			       function->steps.items[low].address == address
		       ? low
		       : function->steps.count;
}

static bool ends_block(const struct function *function, const struct step *step)
{
	return step->kind == STEP_JUMP || step->kind == STEP_BRANCH ||
	       step->kind == STEP_RETURN || state_ends(function, step);
}

static void mark_leaders(const struct function *function, bool *is_leader)
{
	size_t count = function->steps.count;

	is_leader[0] = true;
	for (size_t i = 0; i < count; i++) {
		const struct step *step = &function->steps.items[i];
		size_t target = count;

		if (!ends_block(function, step))
			continue;
		if (i + 1 < count)
			is_leader[i + 1] = true;
		if (step->has_target)
			target = step_at(function, step->target);
		if (target < count)
			is_leader[target] = true;
	}
}

static bool add_blocks(struct flow *flow, const bool *is_leader)
{
	size_t count = flow->function->steps.count, blocks = 0;
	struct block *block = NULL;

	for (size_t i = 0; i < count; i++)
		blocks += is_leader[i];
	if (blocks > BLOCKS_MAX)
		return false;
	flow->blocks.items = calloc(blocks, sizeof(*block));
	if (!flow->blocks.items)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (is_leader[i]) {
			block = &flow->blocks.items[flow->blocks.count++];
			block->first = i;
		}
		block->end = i + 1;
		flow->block_of[i] = (uint32_t)flow->blocks.count - 1;
	}
	return true;
}

static bool make_blocks(struct flow *flow)
{
	size_t count = flow->function->steps.count;
	bool *is_leader = calloc(count, sizeof(*is_leader)), is_good;

	flow->block_of = calloc(count, sizeof(*flow->block_of));
	is_good = is_leader && flow->block_of;
	if (is_good) {
		mark_leaders(flow->function, is_leader);
		is_good = add_blocks(flow, is_leader);
	}
	free(is_leader);
	return is_good;
}

/* ---- ways -------------------------------------------------------------------------- */

static void queue(struct flow *flow, uint32_t index)
{
	struct block *block = &flow->blocks.items[index];
	uint32_t *slot;

	if (block->is_queued)
		return;
	slot = array_add(&flow->queue);
	if (!slot) {
		flow->failed = true;
		return;
	}
	*slot = index;
	block->is_queued = true;
}

static bool merge(struct flow *flow, struct state *into, const struct state *from)
{
	types_spend(flow->function->types, WORK_MERGE);
	return merge_states(into, flow->function, from);
}

/* Merge a state into that of the block that begins with a step. */
static void go_to(struct flow *flow, size_t step, const struct state *state)
{
	struct block *block;
	uint32_t index;

	if (step >= flow->function->steps.count)
		return;
	index = flow->block_of[step];
	block = &flow->blocks.items[index];
	if (!block->is_seen) {
		block->is_seen = true;
		block->state = *state;
		queue(flow, index);
	} else if (merge(flow, &block->state, state)) {
		queue(flow, index);
	}
}

static void leave(struct flow *flow, size_t last, const struct state *state)
{
	const struct step *step = &flow->function->steps.items[last];

	if (step->has_target && step->kind != STEP_CALL)
		go_to(flow, step_at(flow->function, step->target), state);
	else if (step->kind == STEP_JUMP)
		merge(flow, &flow->at_jumps, state);
	if (step->kind != STEP_JUMP && step->kind != STEP_RETURN &&
	    !state_ends(flow->function, step))
		go_to(flow, last + 1, state);
}

static bool is_too_long(struct flow *flow)
{
	types_spend(flow->function->types, WORK_STEP);
	flow->failed |= types_spent(flow->function->types) > flow->work_end;
	return flow->failed;
}

static void run_block(struct flow *flow, const struct block *block, flow_visitor *visit,
		      void *context)
{
	struct state state = block->state;

	for (size_t i = block->first; i < block->end && !is_too_long(flow); i++) {
		const struct step *step = &flow->function->steps.items[i];

		seeds_apply(&flow->seeds, flow->function, i, &state);
		if (visit)
			visit(context, i, &state);
		state_step(&state, flow->function, step);
		if (!visit && step->kind == STEP_CALL)
			merge(flow, &flow->at_jumps, &state);
	}
	if (!visit && !flow->failed)
		leave(flow, block->end - 1, &state);
}

static void run_queue(struct flow *flow)
{
	uint64_t limit = flow->blocks.count * VISITS_MAX;

	while (flow->queue.count > 0 && !flow->failed) {
		struct block *block =
			&flow->blocks.items[flow->queue.items[--flow->queue.count]];

		block->is_queued = false;
		if (flow->visits++ > limit)
			flow->failed = true;
		else
			run_block(flow, block, NULL, NULL);
	}
}

/* Whether a block only aligns the next one. */
static bool is_filler(const struct flow *flow, const struct block *block)
{
	for (size_t i = block->first; i < block->end; i++)
		if (!flow->function->steps.items[i].is_filler)
			return false;
	return true;
}

/* Blocks that no way reached are targets of jumps to anywhere, or handlers of
 * exceptions. */
static void run_rest(struct flow *flow)
{
	for (size_t i = 0; i < flow->blocks.count && !flow->failed; i++)
		if (!flow->blocks.items[i].is_seen &&
		    !is_filler(flow, &flow->blocks.items[i])) {
			struct state state = flow->at_jumps;

			go_to(flow, flow->blocks.items[i].first, &state);
			run_queue(flow);
		}
}

static void visit_all(struct flow *flow, flow_visitor *visit, void *context)
{
	for (size_t i = 0; i < flow->blocks.count && !flow->failed; i++)
		if (flow->blocks.items[i].is_seen)
			run_block(flow, &flow->blocks.items[i], visit, context);
}

/* Follow all ways once. What becomes known late is known from the beginning when the ways
 * are followed again. */
static void run_all(struct flow *flow)
{
	struct state entry;

	for (size_t i = 0; i < flow->blocks.count; i++)
		flow->blocks.items[i].is_seen = flow->blocks.items[i].is_queued = false;
	memset(&flow->at_jumps, 0, sizeof(flow->at_jumps));
	flow->queue.count = 0;
	flow->visits = 0;
	state_at_entry(&entry, flow->function);
	go_to(flow, 0, &entry);
	run_queue(flow);
	run_rest(flow);
}

bool flow_run(const struct function *function, flow_visitor *visit, void *context)
{
	struct flow flow = {
		.function = function,
		.work_end = types_spent(function->types) + WORK_MAX,
	};

	if (function->steps.count == 0)
		return true;
	flow.failed = !make_blocks(&flow) || !seeds_make(&flow.seeds, function);
	function->facts->is_changed = true;
	for (int i = 0; i < PASSES && function->facts->is_changed && !flow.failed; i++) {
		function->facts->is_changed = false;
		run_all(&flow);
	}
	if (!flow.failed)
		visit_all(&flow, visit, context);
	seeds_release(&flow.seeds);
	free(flow.block_of);
	free(flow.blocks.items);
	array_release(&flow.queue);
	return !flow.failed;
}
