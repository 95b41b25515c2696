/* SPDX-License-Identifier: Apache-2.0 */
/* Callers and callees of a fragment of call stacks. */
#include <stdlib.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"

/* Rows next to the fragment, on one side. */
struct side {
	struct idmap by_row;
	struct {
		struct expt_neighbour *items;
		size_t count, capacity;
	} list;
};

struct expt_fragment {
	struct expt_rows *rows;
	uint32_t *wanted; /* leaf first, as in paths */
	size_t count;
	struct side sides[2]; /* by enum expt_side */
	struct figures exclusive, inclusive;
	struct arena arena;
};

void expt_fragment_free(struct expt_fragment *fragment)
{
	if (!fragment)
		return;
	for (size_t i = 0; i < 2; i++) {
		idmap_release(&fragment->sides[i].by_row);
		array_release(&fragment->sides[i].list);
	}
	arena_release(&fragment->arena);
	free(fragment->wanted);
	free(fragment);
}

/* <Total> is the caller of the last row of each path. */
static uint32_t row_at(const struct row_path *path, size_t i)
{
	return i < path->count ? path->items[i] : EXPT_ROW_TOTAL;
}

/* Check whether the fragment is in a path, with its last callee at a place. */
static bool is_at(const struct expt_fragment *fragment, const struct row_path *path,
		  size_t at)
{
	for (size_t i = 0; i < fragment->count; i++)
		if (row_at(path, at + i) != fragment->wanted[i])
			return false;
	return true;
}

static bool add_neighbour(struct expt_fragment *fragment, enum expt_side side,
			  uint32_t row, const struct stack_sum *stack)
{
	const struct expt_view *view = fragment->rows->view;
	struct side *where = &fragment->sides[side];
	uint32_t *slot = idmap_add(&where->by_row, row);
	struct figures *figures;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		struct expt_neighbour *new = array_add(&where->list);

		figures = arena_alloc(&fragment->arena, sizeof(*figures));
		if (!new || !figures ||
		    !figures_make(figures, view, view->groups, &fragment->arena))
			return false;
		*new = (struct expt_neighbour){ row, figures };
		*slot = (uint32_t)(where->list.count - 1);
	}
	if (stack)
		figures_add(view, where->list.items[*slot].figures,
			    view->members.items[stack->member].group, &stack->figures);
	return true;
}

/* Add what is next to the fragment at a place. */
static bool add_neighbours(struct expt_fragment *fragment, const struct row_path *path,
			   size_t at, const struct stack_sum *stack)
{
	size_t above = at + fragment->count;

	return (above > path->count ||
		add_neighbour(fragment, EXPT_CALLERS, row_at(path, above), stack)) &&
	       (at == 0 ||
		add_neighbour(fragment, EXPT_CALLEES, row_at(path, at - 1), stack));
}

/* The occurrence nearest to the leaf counts; those next to others get rows. */
static bool add_path(struct expt_fragment *fragment, const struct stack_sum *stack,
		     const struct row_path *path)
{
	const struct expt_view *view = fragment->rows->view;
	size_t group = view->members.items[stack->member].group;
	bool is_first = true;

	for (size_t i = 0; i + fragment->count <= path->count + 1; i++) {
		if (!is_at(fragment, path, i))
			continue;
		if (is_first)
			figures_add(view, &fragment->inclusive, group, &stack->figures);
		if (is_first && i == 0)
			figures_add(view, &fragment->exclusive, group, &stack->figures);
		if (!add_neighbours(fragment, path, i, is_first ? stack : NULL))
			return false;
		is_first = false;
	}
	return true;
}

static bool add_stacks(struct expt_fragment *fragment)
{
	const struct stack_sums *sums = fragment->rows->view->sums;
	struct row_path path = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < sums->stacks.count && is_good; i++) {
		const struct stack_sum *stack = &sums->stacks.items[i];

		if (figures_are_zero(fragment->rows->view, &stack->figures))
			continue;
		is_good = !view_is_stopped(fragment->rows->view) &&
			  rows_path(fragment->rows, stack, &path) >= 0 &&
			  add_path(fragment, stack, &path);
	}
	array_release(&path);
	return is_good;
}

static bool make(struct expt_fragment *fragment, const uint32_t *wanted, size_t count)
{
	const struct expt_view *view = fragment->rows->view;

	fragment->count = count;
	fragment->wanted = calloc(count + 1, sizeof(*wanted));
	if (!fragment->wanted ||
	    !figures_make(&fragment->exclusive, view, view->groups, &fragment->arena) ||
	    !figures_make(&fragment->inclusive, view, view->groups, &fragment->arena))
		return false;
	for (size_t i = 0; i < count; i++)
		fragment->wanted[i] = wanted[count - 1 - i];
	return add_stacks(fragment);
}

int expt_fragment_find(struct expt_fragment **out, struct expt_rows *rows,
		       const uint32_t *fragment, size_t count, struct expt_error *err)
{
	struct expt_fragment *made = calloc(1, sizeof(*made));

	if (made) {
		made->rows = rows;
		if (make(made, fragment, count)) {
			*out = made;
			return 0;
		}
	}
	expt_fragment_free(made);
	return view_refuse(rows->view, err);
}

size_t expt_fragment_neighbours(const struct expt_fragment *fragment, enum expt_side side,
				const struct expt_neighbour **list)
{
	*list = fragment->sides[side].list.items;
	return fragment->sides[side].list.count;
}

int64_t expt_fragment_value(const struct expt_fragment *fragment, size_t group,
			    size_t metric, enum expt_flavor flavor)
{
	return figures_value(fragment->rows->view,
			     flavor == EXPT_EXCLUSIVE ? &fragment->exclusive
						      : &fragment->inclusive,
			     group, metric);
}
