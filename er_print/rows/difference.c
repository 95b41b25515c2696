/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/rows/difference.h"

#define LEVEL 0.05

/* The sort key if it is sampled, or the first column that is. */
static const struct metric_column *sampled_column(const struct session *session)
{
	const struct metric_list *list = &session->metrics;

	for (size_t i = 0; i <= list->count; i++) {
		const struct metric_column *column = i == 0 ? &list->sort
							    : &list->columns[i - 1];

		if (column->kind == COLUMN_METRIC &&
		    expt_metric(session->view, column->metric)->is_sampled)
			return column;
	}
	return NULL;
}

static enum expt_flavor flavor_of(const struct differences *differences)
{
	return differences->column.flavor == 'i' ? EXPT_INCLUSIVE : EXPT_EXCLUSIVE;
}

struct differences differences_begin(const struct session *session,
				     const struct expt_rows *rows)
{
	const struct metric_column *column = sampled_column(session);
	struct differences differences = { .rows = rows };
	size_t tests = 0;

	if (!column || expt_view_groups(session->view) < 2)
		return differences;
	differences.column = *column;
	differences.groups = expt_view_groups(session->view);
	for (size_t i = EXPT_ROW_TOTAL + 1; i < expt_rows_count(rows); i++)
		tests += expt_row_value(rows, i, column->metric,
					flavor_of(&differences)) != 0;
	tests *= differences.groups - 1;
	differences.limit = tests > 0 ? LEVEL / (double)tests : 0;
	return differences;
}

struct expt_difference row_difference(const struct differences *differences, size_t row,
				      size_t group)
{
	struct expt_difference difference;

	expt_row_difference(differences->rows, row, group, differences->column.metric,
			    flavor_of(differences), &difference);
	return difference;
}

bool row_differs(const struct differences *differences, size_t row)
{
	/* The total is counted, and differs for other reasons than chance. */
	if (row == EXPT_ROW_TOTAL)
		return false;
	for (size_t i = 1; i < differences->groups; i++)
		if (row_difference(differences, row, i).chance < differences->limit)
			return true;
	return false;
}
