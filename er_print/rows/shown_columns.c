/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/rows/shown_columns.h"

#include "libexpt/base/array.h"

bool shown_columns_add(const struct session *session, struct shown_columns *columns,
		       const struct metric_column *column)
{
	size_t groups = column->kind == COLUMN_METRIC ? expt_view_groups(session->view)
						      : 1;

	for (size_t i = 0; i < groups; i++) {
		struct metric_column *new = array_add(columns);

		if (!new)
			return false;
		*new = *column;
		new->group = i;
	}
	return true;
}

bool shown_columns_all(const struct session *session, struct shown_columns *columns)
{
	const struct metric_list *metrics = &session->metrics;

	for (size_t i = 0; i < metrics->count; i++)
		if (!shown_columns_add(session, columns, &metrics->columns[i]))
			return false;
	return true;
}
