/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics and other columns that tables show, and the sort key of rows. */
#ifndef ER_PRINT_SESSION_METRIC_LIST_H
#define ER_PRINT_SESSION_METRIC_LIST_H

#include "er_print/session/metric_column.h"
#include "libexpt/base/strbuf.h"

/* A default that directives add to: keys, separated by colons. The first one counts, so
 * each further file of directives inserts its own before those of the others. */
struct metric_defaults {
	struct strbuf text;
	size_t end; /* of the keys of the current file */
};

/* Set the metrics shown at the start, and by "metrics default". */
void metrics_default(struct session *session);
/* Parse the word of a command; false, with a message printed, if it is wrong. */
bool metrics_choose(struct session *session, const char *spec);
bool metrics_sort(struct session *session, const char *spec);
/* Append the keys of the current choice, and choose them again when the experiments have
 * changed, as far as there are data. */
void metrics_describe(const struct session *session, struct strbuf *metrics,
		      struct strbuf *sort);
void metrics_restore(struct session *session, const char *metrics, const char *sort);

void metrics_print(struct session *session); /* the current ones */
void metrics_print_sort(struct session *session);
void metrics_print_available(struct session *session);

/* Other tables show the current metrics in one flavor. */
enum metric_table { METRICS_OF_CALLERS, METRICS_OF_INDEX_OBJECTS };
void metrics_of_table(const struct metric_list *metrics, enum metric_table table,
		      struct metric_list *chosen);
/* Make the title of the metric that they are sorted by, with '-' if the order is
 * reversed. */
void metrics_sort_title(const struct session *session, enum metric_table table,
			char out[METRIC_TEXT_SIZE + 1]);
void metrics_print_table(struct session *session, enum metric_table table);

#endif
