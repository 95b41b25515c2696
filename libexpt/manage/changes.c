/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/manage/changes.h"

#include <errno.h>
#include <stdatomic.h>

#include "libexpt/common/error.h"
#include "libexpt/common/report.h"

static const char *change_text(enum file_change change)
{
	switch (change) {
	case FILE_GREW:
		return "grew while it was copied";
	case FILE_SHRANK:
		return "shrank while it was copied";
	case FILE_VANISHED:
		return "disappeared while it was copied";
	default:
		return "changed while it was copied";
	}
}

/* Files of a live experiment grow, and when recorders end, they cut off space that they
 * have reserved and not used. */
static bool is_expected(const struct changes *changes, enum file_change change)
{
	return changes->is_live && change != FILE_VANISHED;
}

int changes_report(const struct changes *changes, const struct tree_copy *copy,
		   struct expt_error *err)
{
	for (size_t i = 0; copy->files && i < copy->tree->count; i++) {
		enum file_change change = tree_copy_change(copy, i);
		const char *name = copy->tree->items[i].name;

		if (change == FILE_AS_LISTED || is_expected(changes, change))
			continue;
		if (changes->is_move)
			return expt_refuse(err, -EPERM, "'%s' %s", name,
					   change_text(change));
		expt_report_add(changes->report,
				change == FILE_VANISHED ? EXPT_MISSING : EXPT_CHANGED,
				name, "%s", change_text(change));
	}
	if (atomic_load(&copy->lost_modes))
		expt_report_add(changes->report, EXPT_NOTE, copy->tree->items[0].name,
				"the file system does not support permissions");
	if (atomic_load(&copy->lost_extended))
		expt_report_add(changes->report, EXPT_NOTE, copy->tree->items[0].name,
				"the file system does not support its ACLs or extended "
				"attributes");
	return 0;
}

bool changes_exist(const struct changes *changes, const struct tree_copy *copy)
{
	for (size_t i = 0; copy->files && i < copy->tree->count; i++) {
		enum file_change change = tree_copy_change(copy, i);

		if (change != FILE_AS_LISTED && !is_expected(changes, change))
			return true;
	}
	return false;
}
