/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/tree/leave_out.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/cleanup.h"

/* Set first and children of all directories. */
static void find_children(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		tree->items[i].children = 0;
	for (size_t i = 1; i < tree->count; i++) {
		struct tree_entry *directory = &tree->items[tree->items[i].directory];

		if (directory->children++ == 0)
			directory->first = i;
	}
}

int tree_leave_out(struct tree *tree, bool *is_left_out)
{
	cleanup_free size_t *places = calloc(tree->count, sizeof(*places));
	size_t kept = 0;

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++) {
		size_t directory = tree->items[i].directory;

		is_left_out[i] = is_left_out[i] || is_left_out[directory];
		if (is_left_out[i])
			continue;
		places[i] = kept;
		tree->items[kept] = tree->items[i];
		tree->items[kept++].directory = places[directory];
	}
	tree->count = kept;
	find_children(tree);
	return 0;
}
