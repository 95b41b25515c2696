/* SPDX-License-Identifier: Apache-2.0 */
/* The columns that a table shows for the current metrics: in a comparison, one for each
 * group. */
#ifndef ER_PRINT_ROWS_SHOWN_COLUMNS_H
#define ER_PRINT_ROWS_SHOWN_COLUMNS_H

#include "er_print/session/session.h"

/* Released with array_release(). */
struct shown_columns {
	struct metric_column *items;
	size_t count, capacity;
};

/* Add the columns of a metric, or another one. false: out of memory. */
bool shown_columns_add(const struct session *session, struct shown_columns *columns,
		       const struct metric_column *column);
/* Add those of all current metrics. */
bool shown_columns_all(const struct session *session, struct shown_columns *columns);

#endif
