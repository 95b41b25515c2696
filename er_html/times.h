/* SPDX-License-Identifier: Apache-2.0 */
/* When the events were: cells of each kind of data, in parts of the run that are as small
 * as the page can hold. */
#ifndef ER_HTML_TIMES_H
#define ER_HTML_TIMES_H

#include "er_html/cells.h"
#include "er_html/columns.h"
#include "er_html/paths.h"

struct times {
	struct times_kind {
		struct cells cells;
		char *part, *stack; /* names of columns */
	} * kinds;
	size_t kind_count;
	uint64_t width_ns; /* of a part */
};

/* false: out of memory */
bool times_make(struct times *times, const struct expt_tables *tables,
		const struct paths *paths);
/* Add columns for each kind. name: returns that of the column of a metric. */
void times_add(const struct times *times, struct columns *columns,
	       const char *(*name)(const void *context, size_t metric),
	       const void *context);
void times_release(struct times *times);

#endif
