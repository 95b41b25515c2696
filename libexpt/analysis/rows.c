/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"

#define PLACE_DROPPED (IDMAP_NONE - 1) /* a PLT stub; see row_of_pc() */
/* Added to the row of a function if the place is in a part that was moved out of it. */
#define PLACE_PART (UINT32_C(1) << 31)

/* ---- stacks ---- */

static uint32_t part_flag(const struct expt_rows *rows, const struct expt_place *place)
{
	bool is_part = rows->by == EXPT_BY_FUNCTION && !rows->view->is_outlined &&
		       expt_function_whole(place->function) != place->function;

	return is_part ? PLACE_PART : 0;
}

/* Returns the row of an address. Most addresses occur in many stacks: they are looked up
 * once per epoch, except PLT stubs, which count in the middle of a stack but not at its
 * leaf. */
static uint32_t row_of_pc(struct expt_rows *rows, const struct stack_sum *stack,
			  uint64_t pc, bool is_leaf)
{
	struct expt_place place;
	uint32_t *slot;

	if (rows->places_member != stack->member || rows->places_epoch != stack->epoch) {
		idmap_release(&rows->places);
		rows->places_member = stack->member;
		rows->places_epoch = stack->epoch;
	}
	slot = idmap_add(&rows->places, pc);
	if (!slot)
		return IDMAP_NONE;
	if (*slot != IDMAP_NONE && *slot != PLACE_DROPPED)
		return *slot;
	expt_place(rows->view->members.items[stack->member].expt, pc, stack->time_ns,
		   &place);
	if (place.is_plt) {
		*slot = PLACE_DROPPED;
		return is_leaf ? PLACE_DROPPED : rows_of_place(rows, &place);
	}
	*slot = rows_of_place(rows, &place);
	if (*slot != IDMAP_NONE)
		*slot |= part_flag(rows, &place);
	return *slot;
}

/* Add a frame, unless it is that of a function which calls its own part: in the source,
 * that is no call; nor is one within an object that is folded. *is_part is whether the
 * frame before was in a part. */
static bool add_frame(const struct expt_rows *rows, struct row_path *path, uint32_t row,
		      bool *is_part)
{
	bool was_part = *is_part;
	uint32_t *new;

	if (row == IDMAP_NONE)
		return false;
	*is_part = row & PLACE_PART;
	row &= ~PLACE_PART;
	if (was_part && !*is_part && path->items[path->count - 1] == row)
		return true;
	if (rows->rows.items[row].is_folded && path->count > 0 &&
	    path->items[path->count - 1] == row)
		return true;
	new = array_add(path);
	if (!new)
		return false;
	*new = row;
	return true;
}

/* Add the frames of a place: of functions inlined there, then of its own. */
static bool add_place(struct expt_rows *rows, const struct expt_place *place,
		      struct row_path *path, bool *is_part)
{
	const struct expt_position *positions;
	size_t count = rows_inlined(rows, place, &positions);
	uint32_t row;

	for (size_t i = 0; i < count; i++)
		if (!add_frame(rows, path, rows_of_inlined(rows, &positions[i]), is_part))
			return false;
	row = rows_of_place(rows, place);
	if (row != IDMAP_NONE)
		row |= part_flag(rows, place);
	return add_frame(rows, path, row, is_part);
}

/* Get the rows of a stack that the mode of the view, or inlining, changes. */
static int path_of_frames(struct expt_rows *rows, const struct stack_sum *stack,
			  struct row_path *path)
{
	int end = frames_find(&rows->frames, rows->view, stack);
	bool is_part = false;

	for (size_t i = 0; end >= 0 && i < rows->frames.count; i++)
		if (!add_place(rows, &rows->frames.items[i], path, &is_part))
			return -1;
	if (end == EXPT_STACK_TRUNCATED &&
	    !add_frame(rows, path, EXPT_ROW_TRUNCATED, &is_part))
		return -1;
	if (end == EXPT_STACK_FAILED && !add_frame(rows, path, EXPT_ROW_FAILED, &is_part))
		return -1;
	return end < 0 ? -1 : (int)path->count;
}

static int path_of_pcs(struct expt_rows *rows, const struct stack_sum *stack,
		       struct row_path *path)
{
	struct expt_stack whole = { .count = 0 };
	size_t pcs;
	bool is_part = false;

	/* A uid of 0 means no stack, or that the file of stacks is unreadable. */
	if (stack->uid != 0 && expt_stack(rows->view->members.items[stack->member].expt,
					  stack->uid, &whole, NULL) < 0)
		return -1;
	pcs = pc_count(stack, &whole);
	for (size_t i = 0; i < pcs + (whole.end != EXPT_STACK_WHOLE); i++) {
		uint32_t row =
			i < pcs ? row_of_pc(rows, stack, pc_at(stack, &whole, i), i == 0)
			: whole.end == EXPT_STACK_FAILED ? EXPT_ROW_FAILED
							 : EXPT_ROW_TRUNCATED;

		if (row != PLACE_DROPPED && !add_frame(rows, path, row, &is_part))
			return -1;
	}
	return (int)path->count;
}

/* End the stack where it first enters an object of which only entries are shown. */
static void cut_at_entry(const struct expt_rows *rows, struct row_path *path)
{
	for (size_t i = path->count; i-- > 1;) {
		const struct row *caller = &rows->rows.items[path->items[i]];
		const struct row *row = &rows->rows.items[path->items[i - 1]];

		if (!row->is_api || row->shown.object == caller->shown.object)
			continue;
		path->count -= i - 1;
		memmove(path->items, path->items + i - 1,
			path->count * sizeof(*path->items));
		return;
	}
}

int rows_path(struct expt_rows *rows, const struct stack_sum *stack,
	      struct row_path *path)
{
	int rc;

	residents_use(rows->view, stack->member);
	path->count = 0;
	rc = rows->view->is_inlined || !frames_are_native(rows->view, stack)
		     ? path_of_frames(rows, stack, path)
		     : path_of_pcs(rows, stack, path);
	if (rc < 0)
		return rc;
	cut_at_entry(rows, path);
	return (int)path->count;
}

/* A stack counts for its leaf, and once for every row on it, even if that recurs. */
static bool add_stack(struct expt_rows *rows, const struct stack_sum *stack,
		      struct row_path *path)
{
	const struct expt_view *view = rows->view;
	size_t group = view->members.items[stack->member].group;
	bool is_counted = !figures_are_zero(view, &stack->figures);

	if (rows_path(rows, stack, path) < 0)
		return false;
	rows->visit++;
	for (size_t i = 0; i < path->count; i++) {
		struct row *row = &rows->rows.items[path->items[i]];

		if (i == 0)
			figures_add(view, &row->exclusive, group, &stack->figures);
		if (row->visit == rows->visit)
			continue;
		row->visit = rows->visit;
		row->shown.is_counted |= is_counted;
		figures_add(view, &row->inclusive, group, &stack->figures);
	}
	return true;
}

static bool add_stacks(struct expt_rows *rows, const struct stack_sums *sums)
{
	struct row_path path = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < sums->stacks.count && is_good; i++)
		is_good = !view_is_stopped(rows->view) &&
			  add_stack(rows, &sums->stacks.items[i], &path);
	array_release(&path);
	return is_good;
}

static void add_total(struct expt_rows *rows, const struct stack_sums *sums)
{
	struct row *total = &rows->rows.items[EXPT_ROW_TOTAL];

	for (size_t i = 0; i < sums->stacks.count; i++) {
		const struct stack_sum *stack = &sums->stacks.items[i];

		figures_add(rows->view, &total->exclusive,
			    rows->view->members.items[stack->member].group,
			    &stack->figures);
	}
	figures_add_all(rows->view, &total->inclusive, &total->exclusive);
	total->shown.is_counted = true;
}

/* ---- all rows ---- */

void rows_free(struct expt_rows *rows)
{
	if (!rows)
		return;
	array_release(&rows->rows);
	idmap_release(&rows->by_key);
	idmap_release(&rows->by_identity);
	idmap_release(&rows->claims);
	idmap_release(&rows->places);
	array_release(&rows->frames);
	arena_release(&rows->values);
	free(rows);
}

void rows_forget(struct expt_view *view)
{
	for (size_t i = 0; i < EXPT_BY_COUNT; i++) {
		rows_free(view->rows[i]);
		view->rows[i] = NULL;
	}
	for (size_t i = 0; i < view->index_types.count; i++) {
		rows_free(view->index_types.items[i].rows);
		view->index_types.items[i].rows = NULL;
	}
}

struct expt_rows *rows_new(struct expt_view *view, enum expt_by by,
			   const struct stack_sums *sums)
{
	struct expt_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		return NULL;
	rows->view = view;
	rows->by = by;
	rows->places_member = IDMAP_NONE;
	if (rows_add_first(rows)) {
		add_total(rows, sums);
		return rows;
	}
	rows_free(rows);
	return NULL;
}

/* Rows by address and by line need those by function. */
static bool find_functions(struct expt_rows *rows)
{
	if (rows->by == EXPT_BY_FUNCTION || rows->by == EXPT_BY_OBJECT)
		return true;
	rows->functions = rows_get(rows->view, EXPT_BY_FUNCTION);
	return rows->functions;
}

struct expt_rows *rows_get(struct expt_view *view, enum expt_by by)
{
	struct stack_sums *sums = stack_sums_get(view);
	struct expt_rows *rows;

	if (!sums || view->rows[by])
		return sums ? view->rows[by] : NULL;
	rows = rows_new(view, by, sums);
	if (rows && find_functions(rows) && add_stacks(rows, sums))
		return view->rows[by] = rows;
	rows_free(rows);
	return NULL;
}

int expt_view_rows(struct expt_view *view, enum expt_by by, struct expt_rows **rows,
		   struct expt_error *err)
{
	struct expt_rows *found = rows_get(view, by);

	if (!found)
		return view_refuse(view, err);
	*rows = found;
	return 0;
}

size_t expt_rows_count(const struct expt_rows *rows)
{
	return rows->rows.count;
}

const struct expt_row *expt_row(const struct expt_rows *rows, size_t i)
{
	return &rows->rows.items[i].shown;
}
