/* SPDX-License-Identifier: Apache-2.0 */
/* What processes had of memory, as it changed. */
#ifndef ER_HTML_HEAP_LEVELS_H
#define ER_HTML_HEAP_LEVELS_H

#include "er_html/columns.h"
#include "libexpt/expt.h"

/* Add columns of the levels of processes; of those with the largest peaks, if all are too
 * many. Returns 0 or a negative errno. */
int heap_levels_add(struct columns *columns, struct expt_view *view,
		    struct expt_error *err);

#endif
