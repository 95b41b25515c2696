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
/* The same for those of data objects, whose only flavor is 'd'. */
bool metrics_choose_data(struct session *session, const char *spec);
bool metrics_sort_data(struct session *session, const char *spec);
/* Append the keys of the current choice, and choose them again when the experiments have
 * changed, as far as there are data. */
void metrics_describe(const struct session *session, struct strbuf *metrics,
		      struct strbuf *sort);
void metrics_restore(struct session *session, const char *metrics, const char *sort);

#endif
