/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/paths.h"

#include <stdlib.h>

#include "libexpt/base/array.h"

/* Returns the node of a function below another one, or IDMAP_NONE: out of memory. */
static uint32_t below(struct paths *paths, uint32_t parent, uint32_t function)
{
	uint32_t *slot = idmap_add(&paths->by_parent, (uint64_t)parent << 32 | function);
	struct path_node *node;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	node = array_add(&paths->nodes);
	if (!node)
		return IDMAP_NONE;
	*node = (struct path_node){ parent, function };
	return *slot = (uint32_t)(paths->nodes.count - 1);
}

/* A place is the functions that are inlined there, with the outermost as the first
 * caller. */
static uint32_t below_place(struct paths *paths, uint32_t parent,
			    const struct expt_tables *tables,
			    const struct expt_table_place *place)
{
	const struct expt_table_frame *frames = tables->frames + place->first_frame;

	for (uint32_t i = place->frame_count; i-- > 0 && parent != IDMAP_NONE;)
		parent = below(paths, parent, frames[i].function);
	return parent;
}

bool paths_make(struct paths *paths, const struct expt_tables *tables)
{
	*paths = (struct paths){ 0 };
	paths->of_node = calloc(tables->node_count + 1, sizeof(*paths->of_node));
	if (!paths->of_node || !array_add(&paths->nodes))
		return false;
	for (size_t i = 1; i < tables->node_count; i++) {
		const struct expt_table_node *node = &tables->nodes[i];
		uint32_t made = below_place(paths, paths->of_node[node->parent], tables,
					    &tables->places[node->place]);

		if (made == IDMAP_NONE)
			return false;
		paths->of_node[i] = made;
	}
	return true;
}

void paths_release(struct paths *paths)
{
	array_release(&paths->nodes);
	idmap_release(&paths->by_parent);
	free(paths->of_node);
}
