/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of all call paths, from <Total> down. */
#include <stdlib.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"

struct node {
	struct expt_tree_node shown;
	struct figures figures; /* of all paths that begin with it */
};

struct expt_tree {
	struct expt_rows *rows;
	struct {
		struct node *items; /* parents before their children */
		size_t count, capacity;
	} nodes;
	struct idmap by_parent; /* keyed by parent and row */
	struct arena figures;
};

void expt_tree_free(struct expt_tree *tree)
{
	if (!tree)
		return;
	array_release(&tree->nodes);
	idmap_release(&tree->by_parent);
	arena_release(&tree->figures);
	free(tree);
}

static bool add_node(struct expt_tree *tree, uint32_t parent, uint32_t row)
{
	const struct expt_view *view = tree->rows->view;
	uint32_t number = (uint32_t)tree->nodes.count;
	struct node *node = array_add(&tree->nodes);
	struct expt_tree_node *above;

	if (!node || !figures_make(&node->figures, view, view->groups, &tree->figures))
		return false;
	node->shown = (struct expt_tree_node){ .row = row, .parent = parent };
	if (number == 0)
		return true;
	above = &tree->nodes.items[parent].shown;
	node->shown.depth = above->depth + 1;
	node->shown.next = above->first_child;
	above->first_child = number;
	return true;
}

/* Returns the child of a node for a row, or IDMAP_NONE: out of memory. */
static uint32_t child_of(struct expt_tree *tree, uint32_t parent, uint32_t row)
{
	uint32_t *slot = idmap_add(&tree->by_parent, (uint64_t)parent << 32 | row);

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	*slot = (uint32_t)tree->nodes.count;
	return add_node(tree, parent, row) ? *slot : IDMAP_NONE;
}

static bool add_path(struct expt_tree *tree, const struct stack_sum *stack,
		     const struct row_path *path)
{
	const struct expt_view *view = tree->rows->view;
	size_t group = view->members.items[stack->member].group;
	uint32_t node = 0;

	figures_add(view, &tree->nodes.items[0].figures, group, &stack->figures);
	for (size_t i = path->count; i > 0; i--) {
		node = child_of(tree, node, path->items[i - 1]);
		if (node == IDMAP_NONE)
			return false;
		figures_add(view, &tree->nodes.items[node].figures, group,
			    &stack->figures);
	}
	return true;
}

static bool add_stacks(struct expt_tree *tree)
{
	const struct stack_sums *sums = tree->rows->view->sums;
	struct row_path path = { 0 };
	bool is_good = add_node(tree, 0, EXPT_ROW_TOTAL);

	for (size_t i = 0; i < sums->stacks.count && is_good; i++) {
		const struct stack_sum *stack = &sums->stacks.items[i];

		if (figures_are_zero(tree->rows->view, &stack->figures))
			continue;
		is_good = !view_is_stopped(tree->rows->view) &&
			  rows_path(tree->rows, stack, &path) >= 0 &&
			  add_path(tree, stack, &path);
	}
	array_release(&path);
	return is_good;
}

int expt_tree_make(struct expt_tree **out, struct expt_rows *rows, struct expt_error *err)
{
	struct expt_tree *tree = calloc(1, sizeof(*tree));

	if (tree) {
		tree->rows = rows;
		if (add_stacks(tree)) {
			*out = tree;
			return 0;
		}
	}
	expt_tree_free(tree);
	return view_refuse(rows->view, err);
}

size_t expt_tree_count(const struct expt_tree *tree)
{
	return tree->nodes.count;
}

const struct expt_tree_node *expt_tree_node(const struct expt_tree *tree, size_t i)
{
	return &tree->nodes.items[i].shown;
}

int64_t expt_tree_value(const struct expt_tree *tree, size_t i, size_t group,
			size_t metric)
{
	return figures_value(tree->rows->view, &tree->nodes.items[i].figures, group,
			     metric);
}
