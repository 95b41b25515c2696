/* SPDX-License-Identifier: Apache-2.0 */
/* Index objects: rows of the events for which an expression has one value. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/analysis/index_name.h"
#include "libexpt/analysis/rows.h"
#include "libexpt/common/error.h"
#include "libexpt/events/index_types.h"
#include "libexpt/events/problems.h"

/* Returns the row of a value, or IDMAP_NONE: out of memory. */
static uint32_t row_of_value(struct expt_rows *rows, size_t type, int64_t value)
{
	uint32_t *slot = idmap_add(&rows->by_key, (uint64_t)value);
	char name[INDEX_NAME_SIZE];
	struct row *row;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	row = rows_add(rows);
	if (!row)
		return IDMAP_NONE;
	index_name(rows->view, type, value, name);
	row->shown.value = value;
	row->shown.name = arena_text(&rows->values, name, strlen(name));
	if (!row->shown.name)
		return IDMAP_NONE;
	return *slot = (uint32_t)(rows->rows.count - 1);
}

static bool add_sum(struct expt_rows *rows, size_t type, const struct stack_sum *sum)
{
	const struct expt_view *view = rows->view;
	size_t group = view->members.items[sum->member].group;
	uint32_t number = row_of_value(rows, type, sum->value);
	struct row *row;

	if (number == IDMAP_NONE)
		return false;
	row = &rows->rows.items[number];
	row->shown.is_counted |= !figures_are_zero(view, &sum->figures);
	figures_add(view, &row->exclusive, group, &sum->figures);
	figures_add(view, &row->inclusive, group, &sum->figures);
	return true;
}

static struct expt_rows *make_rows(struct expt_view *view, size_t type,
				   const struct stack_sums *sums)
{
	struct expt_rows *rows = rows_new(view, EXPT_BY_INDEX, sums);
	bool is_good = rows;

	for (size_t i = 0; i < sums->stacks.count && is_good; i++)
		is_good = add_sum(rows, type, &sums->stacks.items[i]);
	if (is_good)
		return rows;
	rows_free(rows);
	return NULL;
}

int expt_view_index_rows(struct expt_view *view, size_t type, struct expt_rows **rows,
			 struct expt_error *err)
{
	struct index_type *found = &view->index_types.items[type];
	struct evaluation *evaluation = index_type_evaluation(view, type, err);
	struct stack_sums *sums;

	if (!evaluation)
		return -EINVAL;
	if (!found->rows) {
		sums = stack_sums_by_value(view, evaluation);
		found->rows = sums ? make_rows(view, type, sums) : NULL;
		stack_sums_free(view, sums);
	}
	if (!found->rows)
		return view_refuse(view, err);
	*rows = found->rows;
	return 0;
}
