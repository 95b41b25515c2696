/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/calls.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"

/* ---- the tree ---- */

/* Returns the call of a function from another call, or IDMAP_NONE: out of memory. */
static uint32_t call_of(struct calls *calls, uint32_t parent, uint32_t function)
{
	uint32_t *slot = idmap_add(&calls->by_parent, (uint64_t)parent << 32 | function);
	struct call *call;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	call = array_add(&calls->all);
	if (!call)
		return IDMAP_NONE;
	*call = (struct call){ .parent = parent, .function = function };
	return *slot = (uint32_t)(calls->all.count - 1);
}

static uint32_t call_of_node(struct calls *calls, const struct expt_tables *tables,
			     const struct expt_table_node *node)
{
	const struct expt_table_place *place = &tables->places[node->place];
	const struct expt_table_frame *frames = &tables->frames[place->first_frame];
	uint32_t call = calls->of_node[node->parent];

	for (size_t i = place->frame_count; i > 0 && call != IDMAP_NONE; i--)
		call = call_of(calls, call, frames[i - 1].function);
	return call;
}

bool calls_make(struct calls *calls, const struct expt_tables *tables)
{
	*calls = (struct calls){ .of_node = calloc(tables->node_count,
						   sizeof(*calls->of_node)) };
	if (!calls->of_node || !array_add(&calls->all))
		return false;
	for (size_t i = 1; i < tables->node_count; i++) {
		calls->of_node[i] = call_of_node(calls, tables, &tables->nodes[i]);
		if (calls->of_node[i] == IDMAP_NONE)
			return false;
	}
	return true;
}

void calls_release(struct calls *calls)
{
	array_release(&calls->all);
	idmap_release(&calls->by_parent);
	free(calls->of_node);
}

/* ---- sums ---- */

static void add_values(struct call_sums *sums, const struct source *source, size_t stack,
		       size_t first)
{
	for (size_t i = 0; i < source->metric_count; i++)
		add_saturated(&sums->values[first + i],
			      expt_tables_value(source->tables, stack,
						source->metrics[i]));
}

static bool add_stack(struct call_sums *sums, struct idmap *by_call,
		      const struct source *source, const struct calls *calls, bool apart,
		      size_t number)
{
	const struct expt_table_stack *stack = &source->tables->stacks[number];
	uint32_t call = calls->of_node[stack->node], thread = apart ? stack->thread : 0;
	uint32_t *slot = idmap_add(by_call, (uint64_t)thread << 32 | call);
	struct call_sum *sum;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		sum = array_add(&sums->all);
		if (!sum)
			return false;
		*slot = (uint32_t)(sums->all.count - 1);
		*sum = (struct call_sum){ thread, call, *slot * source->metric_count };
	}
	add_values(sums, source, number, sums->all.items[*slot].values);
	return true;
}

static bool is_zero(const struct call_sums *sums, const struct source *source,
		    const struct call_sum *sum)
{
	for (size_t i = 0; i < source->metric_count; i++)
		if (sums->values[sum->values + i] != 0)
			return false;
	return true;
}

static void drop_zeros(struct call_sums *sums, const struct source *source)
{
	size_t kept = 0;

	for (size_t i = 0; i < sums->all.count; i++)
		if (!is_zero(sums, source, &sums->all.items[i]))
			sums->all.items[kept++] = sums->all.items[i];
	sums->all.count = kept;
}

static int compare(const void *a, const void *b)
{
	const struct call_sum *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->call < y->call ? -1 : x->call > y->call;
}

static size_t depth_of(const struct calls *calls, uint32_t call)
{
	size_t depth = 0;

	for (; call != 0; call = calls->all.items[call].parent)
		depth++;
	return depth;
}

/* Make room for the longest path. */
static bool make_room(struct call_sums *sums, const struct calls *calls)
{
	for (size_t i = 0; i < sums->all.count; i++) {
		size_t depth = depth_of(calls, sums->all.items[i].call);

		if (depth > sums->depth)
			sums->depth = depth;
	}
	sums->functions = calloc(sums->depth + 1, sizeof(*sums->functions));
	return sums->functions;
}

bool call_sums_make(struct call_sums *sums, const struct source *source,
		    const struct calls *calls, bool apart)
{
	size_t count = source->tables->stack_count;
	struct idmap by_call = { 0 };
	bool is_good = true;

	*sums = (struct call_sums){
		.values = calloc(count * source->metric_count + 1, sizeof(*sums->values)),
	};
	if (!sums->values)
		return false;
	for (size_t i = 0; i < count && is_good; i++)
		is_good = add_stack(sums, &by_call, source, calls, apart, i);
	idmap_release(&by_call);
	if (!is_good)
		return false;
	drop_zeros(sums, source);
	if (sums->all.count > 0)
		qsort(sums->all.items, sums->all.count, sizeof(*sums->all.items),
		      compare);
	return make_room(sums, calls);
}

size_t call_sums_path(const struct call_sums *sums, const struct calls *calls,
		      const struct call_sum *sum)
{
	size_t depth = depth_of(calls, sum->call), i = depth;

	for (uint32_t call = sum->call; call != 0; call = calls->all.items[call].parent)
		sums->functions[--i] = calls->all.items[call].function;
	return depth;
}

void call_sums_release(struct call_sums *sums)
{
	array_release(&sums->all);
	free(sums->values);
	free(sums->functions);
}
