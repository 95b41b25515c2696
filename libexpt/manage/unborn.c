/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/manage/unborn.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"
#include "libexpt/tree/leave_out.h"

static bool has_begun(const struct tree *tree, const struct tree_entry *descendant)
{
	const struct tree_entry *entries = &tree->items[descendant->first];
	int found = 0;

	for (size_t i = 0; i < descendant->children; i++)
		if (strcmp(entries[i].base, LOG_FILE) == 0 ||
		    strcmp(entries[i].base, LOAD_MAP_FILE) == 0)
			found += entries[i].size > 0;
	return found == 2;
}

int unborn_leave_out(struct tree *tree, struct expt_error *err)
{
	cleanup_free bool *is_left_out = calloc(tree->count, sizeof(*is_left_out));

	if (!is_left_out)
		return expt_fail(err, -ENOMEM, "cannot list the files");
	for (size_t i = 1; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->items[i];

		if (entry->type == DT_DIR && entry->directory == 0 &&
		    layout_entry(entry->base, false) == LAYOUT_DESCENDANT)
			is_left_out[i] = !has_begun(tree, entry);
	}
	if (tree_leave_out(tree, is_left_out) < 0)
		return expt_fail(err, -ENOMEM, "cannot list the files");
	return 0;
}
