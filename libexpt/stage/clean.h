/* SPDX-License-Identifier: Apache-2.0 */
/* Removals, also of what others left. */
#ifndef LIBEXPT_STAGE_CLEAN_H
#define LIBEXPT_STAGE_CLEAN_H

#include <stdbool.h>

#include "libexpt/expt.h"
#include "libexpt/tree/remove.h"

/* Make name in parent disappear at once (rename to a .del name) and then unlink all below
 * it. */
int stage_remove(int parent, const char *name, struct expt_error *err);
/* Finish what others began and did not end: unlocked stages and removals of this final
 * name. Returns how many removals it has finished. */
int stage_clean(int parent, const char *final);
/* The same, with a line EXPT_REMOVED or EXPT_FAILED in the report for each; path is what
 * messages call the final name. dry_run: only those lines. */
struct stage_cleaning {
	const char *path;
	bool dry_run;
	struct tree_patience *patience; /* or NULL: see tree_unlink() */
	struct expt_report *report;
};
int stage_clean_reporting(int parent, const char *final,
			  const struct stage_cleaning *cleaning);
/* Remove what has a hidden name if its maker is gone: 1; 0: somebody is at work there, or
 * it is not ours. dry_run: it would be. */
int stage_clean_hidden(int parent, const char *name, bool dry_run,
		       struct tree_patience *patience, struct expt_error *err);

#endif
