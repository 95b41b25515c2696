/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers and callees: an event counts once for each row on its stack, at the occurrence
 * nearest to the leaf. The caller and the callee of that occurrence get its value; those
 * of other occurrences get rows that may stay at zero.
 */
#include <stdlib.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"

/* Two adjacent rows: the values that other gets as caller or callee of center. */
struct edge {
	uint32_t center;
	struct expt_neighbour other;
	struct figures figures; /* of other */
};

struct edges {
	struct edge *items;
	size_t count, capacity;
	struct idmap index;	     /* keyed by center and other */
	struct expt_neighbour *list; /* when sorted by center */
	size_t *firsts;		     /* of each row, in the list */
};

struct expt_neighbours {
	struct expt_rows *rows;
	struct edges sides[2]; /* by enum expt_side */
	struct arena arena;
	uint32_t *visits; /* the last stack that counted each row */
	uint32_t visit;
};

static void release_edges(struct edges *edges)
{
	array_release(edges);
	idmap_release(&edges->index);
	free(edges->list);
	free(edges->firsts);
}

void expt_neighbours_free(struct expt_neighbours *neighbours)
{
	if (!neighbours)
		return;
	release_edges(&neighbours->sides[EXPT_CALLERS]);
	release_edges(&neighbours->sides[EXPT_CALLEES]);
	arena_release(&neighbours->arena);
	free(neighbours->visits);
	free(neighbours);
}

/* Make sure that the edge exists, and add the stack to it if there is one. */
static bool add_edge(struct expt_neighbours *neighbours, enum expt_side side,
		     uint32_t center, uint32_t other, const struct stack_sum *stack)
{
	const struct expt_view *view = neighbours->rows->view;
	struct edges *edges = &neighbours->sides[side];
	uint32_t *slot = idmap_add(&edges->index, (uint64_t)center << 32 | other);
	struct edge *edge;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		*slot = (uint32_t)edges->count;
		edge = array_add(edges);
		if (!edge)
			return false;
		edge->center = center;
		edge->other.row = other;
		if (!figures_make(&edge->figures, view, view->groups, &neighbours->arena))
			return false;
	}
	if (stack)
		figures_add(view, &edges->items[*slot].figures,
			    view->members.items[stack->member].group, &stack->figures);
	return true;
}

static bool add_path(struct expt_neighbours *neighbours, const struct row_path *path,
		     const struct stack_sum *stack)
{
	neighbours->visit++;
	for (size_t i = 0; i < path->count; i++) {
		uint32_t row = path->items[i];
		uint32_t caller = i + 1 < path->count ? path->items[i + 1]
						      : EXPT_ROW_TOTAL;
		bool is_first = neighbours->visits[row] != neighbours->visit;
		const struct stack_sum *counted = is_first ? stack : NULL;

		neighbours->visits[row] = neighbours->visit;
		if (!add_edge(neighbours, EXPT_CALLERS, row, caller, counted))
			return false;
		if (i > 0 &&
		    !add_edge(neighbours, EXPT_CALLEES, row, path->items[i - 1], counted))
			return false;
		if (caller == EXPT_ROW_TOTAL &&
		    !add_edge(neighbours, EXPT_CALLEES, EXPT_ROW_TOTAL, row, stack))
			return false;
	}
	return true;
}

static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return a->center < b->center ? -1 : a->center > b->center;
}

/* Sort edges by center: those of a row are firsts[row] to firsts[row + 1]. */
static bool group_edges(struct edges *edges, size_t rows)
{
	size_t next = 0;

	edges->firsts = calloc(rows + 1, sizeof(*edges->firsts));
	edges->list = calloc(edges->count + 1, sizeof(*edges->list));
	if (!edges->firsts || !edges->list)
		return false;
	if (edges->count > 1)
		qsort(edges->items, edges->count, sizeof(*edges->items), compare_edges);
	for (size_t i = 0; i < edges->count; i++)
		edges->list[i] = (struct expt_neighbour){
			.row = edges->items[i].other.row,
			.figures = &edges->items[i].figures,
		};
	for (size_t row = 0; row <= rows; row++) {
		while (next < edges->count && edges->items[next].center < row)
			next++;
		edges->firsts[row] = next;
	}
	return true;
}

static bool add_stacks(struct expt_neighbours *neighbours)
{
	const struct stack_sums *sums = neighbours->rows->view->sums;
	struct row_path path = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < sums->stacks.count && is_good; i++) {
		const struct stack_sum *stack = &sums->stacks.items[i];

		if (figures_are_zero(neighbours->rows->view, &stack->figures))
			continue;
		is_good = !view_is_stopped(neighbours->rows->view) &&
			  rows_path(neighbours->rows, stack, &path) >= 0 &&
			  add_path(neighbours, &path, stack);
	}
	array_release(&path);
	return is_good;
}

int expt_neighbours_find(struct expt_neighbours **out, struct expt_rows *rows,
			 struct expt_error *err)
{
	struct expt_neighbours *neighbours = calloc(1, sizeof(*neighbours));
	size_t count = rows->rows.count;

	if (neighbours) {
		neighbours->rows = rows;
		neighbours->visits = calloc(count + 1, sizeof(*neighbours->visits));
		if (neighbours->visits && add_stacks(neighbours) &&
		    group_edges(&neighbours->sides[EXPT_CALLERS], count) &&
		    group_edges(&neighbours->sides[EXPT_CALLEES], count)) {
			*out = neighbours;
			return 0;
		}
	}
	expt_neighbours_free(neighbours);
	return view_refuse(rows->view, err);
}

size_t expt_neighbours(const struct expt_neighbours *neighbours, size_t row,
		       enum expt_side side, const struct expt_neighbour **list)
{
	const struct edges *edges = &neighbours->sides[side];

	*list = edges->list + edges->firsts[row];
	return edges->firsts[row + 1] - edges->firsts[row];
}

int64_t expt_neighbour_value(const struct expt_rows *rows,
			     const struct expt_neighbour *neighbour, size_t group,
			     size_t metric)
{
	return figures_value(rows->view, neighbour->figures, group, metric);
}
