/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/paths.h"

#include <stdlib.h>

#include "er_html/order.h"
#include "libexpt/base/array.h"

/* Returns the node of a function below another one, or IDMAP_NONE: out of memory. */
static uint32_t below(struct paths *paths, uint32_t parent, uint32_t function)
{
	uint32_t *slot = idmap_add(&paths->by_parent, (uint64_t)parent << 32 | function);
	struct path_node *node;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	node = array_add(&paths->nodes);
	if (!node)
		return IDMAP_NONE;
	*node = (struct path_node){ parent, function };
	return *slot = (uint32_t)(paths->nodes.count - 1);
}

/* A place is the functions that are inlined there, with the outermost as the first
 * caller. */
static uint32_t below_place(struct paths *paths, uint32_t parent,
			    const struct expt_tables *tables,
			    const struct expt_table_place *place)
{
	const struct expt_table_frame *frames = tables->frames + place->first_frame;

	for (uint32_t i = place->frame_count; i-- > 0 && parent != IDMAP_NONE;)
		parent = below(paths, parent, frames[i].function);
	return parent;
}

static bool add_nodes(struct paths *paths, const struct expt_tables *tables)
{
	paths->of_node = array_zeroed(tables->node_count + 1, sizeof(*paths->of_node));
	if (!paths->of_node || !array_add(&paths->nodes))
		return false;
	for (size_t i = 1; i < tables->node_count; i++) {
		const struct expt_table_node *node = &tables->nodes[i];
		uint32_t made = below_place(paths, paths->of_node[node->parent], tables,
					    &tables->places[node->place]);

		if (made == IDMAP_NONE)
			return false;
		paths->of_node[i] = made;
	}
	return true;
}

/* ---- the order of nodes ---- */

struct links {
	uint32_t first,
		next;	 /* the first child, and the next one of the parent; 0: none */
	uint32_t number; /* in the new order */
};

static void link_nodes(const struct paths *paths, struct links *links)
{
	for (size_t i = paths->nodes.count - 1; i > 0; i--) {
		struct links *parent = &links[paths->nodes.items[i].parent];

		links[i].next = parent->first;
		parent->first = (uint32_t)i;
	}
}

static void number_nodes(const struct paths *paths, struct links *links)
{
	uint32_t node = 0, number = 0;

	while (links[node].first != 0 || node != 0) {
		if (links[node].first != 0) {
			node = links[node].first;
			links[node].number = ++number;
			continue;
		}
		while (node != 0 && links[node].next == 0)
			node = paths->nodes.items[node].parent;
		if (node == 0)
			break;
		node = links[node].next;
		links[node].number = ++number;
	}
}

static bool order_nodes(struct paths *paths, const struct expt_tables *tables)
{
	size_t count = paths->nodes.count;
	struct links *links = array_zeroed(count, sizeof(*links));
	struct path_node *ordered = array_zeroed(count, sizeof(*ordered));
	bool is_good = links && ordered;

	if (is_good) {
		link_nodes(paths, links);
		number_nodes(paths, links);
		for (size_t i = 0; i < count; i++) {
			const struct path_node *node = &paths->nodes.items[i];

			ordered[links[i].number] =
				(struct path_node){ links[node->parent].number,
						    node->function };
		}
		for (size_t i = 0; i < tables->node_count; i++)
			paths->of_node[i] = links[paths->of_node[i]].number;
		free(paths->nodes.items);
		paths->nodes.items = ordered;
		paths->nodes.capacity = count;
		ordered = NULL;
	}
	free(ordered);
	free(links);
	return is_good;
}

/* ---- stacks ---- */

/* Number the distinct ones in their order. */
static void number_stacks(struct paths *paths, const uint32_t *order,
			  const uint32_t *nodes, const uint32_t *threads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct path_stack stack = { nodes[order[i]], threads[order[i]] };
		const struct path_stack *last = &paths->stacks[paths->stack_count];

		if (paths->stack_count == 0 || last[-1].node != stack.node ||
		    last[-1].thread != stack.thread)
			paths->stacks[paths->stack_count++] = stack;
		paths->of_stack[order[i]] = (uint32_t)(paths->stack_count - 1);
	}
}

static bool add_stacks(struct paths *paths, const struct expt_tables *tables)
{
	size_t count = tables->stack_count;
	uint32_t *order = order_new(count);
	uint32_t *nodes = array_zeroed(count + 1, sizeof(*nodes));
	uint32_t *threads = array_zeroed(count + 1, sizeof(*threads));
	bool is_good = order && nodes && threads;

	paths->stacks = array_zeroed(count + 1, sizeof(*paths->stacks));
	paths->of_stack = array_zeroed(count + 1, sizeof(*paths->of_stack));
	for (size_t i = 0; i < count && is_good; i++) {
		nodes[i] = paths->of_node[tables->stacks[i].node];
		threads[i] = tables->stacks[i].thread;
	}
	is_good = is_good && paths->stacks && paths->of_stack &&
		  order_by(order, count, threads) && order_by(order, count, nodes);
	if (is_good)
		number_stacks(paths, order, nodes, threads, count);
	free(order);
	free(nodes);
	free(threads);
	return is_good;
}

bool paths_make(struct paths *paths, const struct expt_tables *tables)
{
	*paths = (struct paths){ 0 };
	return add_nodes(paths, tables) && order_nodes(paths, tables) &&
	       add_stacks(paths, tables);
}

void paths_release(struct paths *paths)
{
	array_release(&paths->nodes);
	idmap_release(&paths->by_parent);
	free(paths->of_node);
	free(paths->stacks);
	free(paths->of_stack);
}
