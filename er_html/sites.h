/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths by place, for views that need to know where in a function a path goes on:
 * those of code, and those of call stacks of traced calls. Places that no view needs are
 * left out of the paths. */
#ifndef ER_HTML_SITES_H
#define ER_HTML_SITES_H

#include <stdbool.h>

#include "er_html/columns.h"
#include "er_html/views/code.h"
#include "libexpt/base/arena.h"

/* Add their columns, whose names live as long as the arena. false: out of memory, unless
 * the columns say so. */
bool sites_add(struct columns *columns, struct arena *names, const struct shown *shown,
	       struct code *code);

#endif
