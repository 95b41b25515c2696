/* SPDX-License-Identifier: Apache-2.0 */
/* Links are never rewritten: they are somebody's decision where the common archive is. */
#include "libexpt/links.h"

#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/report.h"

struct link {
	const struct tree_entry *entry;
	dev_t device;
	ino_t inode;
};

static bool leads_out(const struct tree_entry *entry)
{
	return entry->type == DT_LNK && strncmp(entry->target, "../", 3) == 0;
}

int links_remember(struct links *links, const struct tree *tree, int dir)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->items[i];
		struct stat status;
		struct link *link;

		if (!leads_out(entry) || fstatat(dir, entry->name, &status, 0) < 0)
			continue;
		link = array_add(links);
		if (!link)
			return -ENOMEM;
		*link = (struct link){ entry, status.st_dev, status.st_ino };
	}
	return 0;
}

void links_check(const struct links *links, int dir, struct expt_report *report)
{
	for (size_t i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];
		struct stat status;

		if (fstatat(dir, link->entry->name, &status, 0) < 0)
			expt_report_add(report, EXPT_MISSING, link->entry->name,
					"its link '%s' leads nowhere from the new place",
					link->entry->target);
		else if (status.st_dev != link->device || status.st_ino != link->inode)
			expt_report_add(
				report, EXPT_CHANGED, link->entry->name,
				"its link '%s' leads elsewhere from the new place",
				link->entry->target);
	}
}

void links_release(struct links *links)
{
	array_release(links);
}
