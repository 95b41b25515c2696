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

/* The events of a thread on a path, that are at one site, and of one subject. */
struct path_stack {
	uint32_t node, site, subject, thread; /* site: see sites.h */
};

/* Node 0 is the empty path. A node is followed by those below it, so that what is below
 * a path has numbers in a row. */
struct paths {
	struct {
		struct path_node *items;
		size_t count, capacity;
	} nodes;
	struct idmap by_parent;	   /* nodes, by parent and function */
	uint32_t *of_node;	   /* for each node of the tables */
	struct path_stack *stacks; /* in the order of nodes, and so on */
	size_t stack_count;
	uint32_t *of_stack; /* for each stack of the tables */
};

/* site_of_node: for each node of the tables. false: out of memory */
bool paths_make(struct paths *paths, const struct expt_tables *tables,
		const uint32_t *site_of_node);
void paths_release(struct paths *paths);

#endif
