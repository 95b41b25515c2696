/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths by function: inlined functions are callers and callees like others, and a
 * node is a function below a path. */
#ifndef ER_HTML_PATHS_H
#define ER_HTML_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

struct path_node {
	uint32_t parent, function;
};

/* Node 0 is the empty path, and parents precede their children. */
struct paths {
	struct {
		struct path_node *items;
		size_t count, capacity;
	} nodes;
	struct idmap by_parent; /* nodes, by parent and function */
	uint32_t *of_node;	/* for each node of the tables */
};

/* false: out of memory */
bool paths_make(struct paths *paths, const struct expt_tables *tables);
void paths_release(struct paths *paths);

#endif
