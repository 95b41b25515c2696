/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/paths.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_same(const struct path_stack *a, const struct path_stack *b)
{
	return a->node == b->node && a->site == b->site && a->subject == b->subject &&
	       a->thread == b->thread;
}

/* Number the distinct ones in their order. */
static void number_stacks(struct paths *paths, const uint32_t *order,
			  const struct path_stack *stacks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct path_stack *stack = &stacks[order[i]];

		if (paths->stack_count == 0 ||
		    !is_same(stack, &paths->stacks[paths->stack_count - 1]))
			paths->stacks[paths->stack_count++] = *stack;
		paths->of_stack[order[i]] = (uint32_t)(paths->stack_count - 1);
	}
}

/* Sort stacks by the first number last, which thus counts most. */
static bool order_stacks(uint32_t *order, size_t count, const struct path_stack *stacks)
{
	static const size_t members[] = {
		offsetof(struct path_stack, thread),
		offsetof(struct path_stack, subject),
		offsetof(struct path_stack, site),
		offsetof(struct path_stack, node),
	};
	uint32_t *keys = array_zeroed(count + 1, sizeof(*keys));
	bool is_good = keys;

	for (size_t m = 0; m < sizeof(members) / sizeof(*members) && is_good; m++) {
		for (size_t i = 0; i < count; i++)
			memcpy(&keys[i], (const char *)&stacks[i] + members[m],
			       sizeof(*keys));
		is_good = order_by(order, count, keys);
	}
	free(keys);
	return is_good;
}

static bool add_stacks(struct paths *paths, const struct expt_tables *tables,
		       const uint32_t *site_of_node)
{
	size_t count = tables->stack_count;
	uint32_t *order = order_new(count);
	struct path_stack *stacks = array_zeroed(count + 1, sizeof(*stacks));
	bool is_good = order && stacks;

	paths->stacks = array_zeroed(count + 1, sizeof(*paths->stacks));
	paths->of_stack = array_zeroed(count + 1, sizeof(*paths->of_stack));
	for (size_t i = 0; i < count && is_good; i++) {
		const struct expt_table_stack *stack = &tables->stacks[i];

		stacks[i] = (struct path_stack){
			.node = paths->of_node[stack->node],
			.site = site_of_node[stack->node],
			.subject = stack->subject,
			.thread = stack->thread,
		};
	}
	is_good = is_good && paths->stacks && paths->of_stack &&
		  order_stacks(order, count, stacks);
	if (is_good)
		number_stacks(paths, order, stacks, count);
	free(order);
	free(stacks);
	return is_good;
}

bool paths_make(struct paths *paths, const struct expt_tables *tables,
		const uint32_t *site_of_node)
{
	*paths = (struct paths){ 0 };
	return add_nodes(paths, tables) && order_nodes(paths, tables) &&
	       add_stacks(paths, tables, site_of_node);
}

void paths_release(struct paths *paths)
{
	array_release(&paths->nodes);
	idmap_release(&paths->by_parent);
	free(paths->of_node);
	free(paths->stacks);
	free(paths->of_stack);
}
