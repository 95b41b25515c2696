/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths by place, for views that need to know where in a function a path goes on:
 * those of code, and those of call stacks of traced calls. Places that no view needs are
 * left out of the paths. */
#ifndef ER_HTML_SITES_H
#define ER_HTML_SITES_H

#include <stdbool.h>

#include "er_html/columns.h"
#include "er_html/views/code.h"

struct sites {
	const struct shown *shown;
	const struct expt_tables *tables;
	struct code *code;
	uint32_t *file_of_frame;   /* IDMAP_NONE: not among those of the code */
	bool *is_kept;		   /* of the nodes of the tables */
	uint32_t *number_of_place; /* 0: not used; else counted from 1 */
	size_t count;		   /* of sites; 0 is none */
	/* For each node of the tables, twice the number of its site; and 1 more if that
	 * is the site of a caller, because the place of the node was left out. */
	uint32_t *of_node;
};

/* Choose them. false: out of memory. */
bool sites_make(struct sites *sites, const struct shown *shown, struct code *code);
/* Add their columns. false: out of memory, unless the columns say so. */
bool sites_add(struct columns *columns, struct sites *sites);
void sites_release(struct sites *sites);

#endif
