/* SPDX-License-Identifier: Apache-2.0 */
/* The current metrics, and those of other tables, as commands show them. */
#ifndef ER_PRINT_SESSION_METRIC_PRINT_H
#define ER_PRINT_SESSION_METRIC_PRINT_H

#include "er_print/session/metric_column.h"

void metrics_print(struct session *session); /* the current ones */
void metrics_print_sort(struct session *session);
void metrics_print_available(struct session *session);

/* Other tables show the current metrics in one flavor. */
enum metric_table {
	METRICS_OF_CALLERS,
	METRICS_OF_INDEX_OBJECTS,
	METRICS_OF_DATA_OBJECTS,
};
void metrics_of_table(const struct metric_list *metrics, enum metric_table table,
		      struct metric_list *chosen);
/* Make the title of the metric that they are sorted by, with '-' if the order is
 * reversed. */
void metrics_sort_title(const struct session *session, enum metric_table table,
			char out[METRIC_TEXT_SIZE + 1]);
void metrics_print_table(struct session *session, enum metric_table table);
void metrics_print_data(struct session *session); /* those of data objects */

#endif
