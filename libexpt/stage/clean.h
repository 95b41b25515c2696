/* SPDX-License-Identifier: Apache-2.0 */
/* Removals, also of what interrupted ones left. */
#ifndef LIBEXPT_STAGE_CLEAN_H
#define LIBEXPT_STAGE_CLEAN_H

#include <stdbool.h>

#include "libexpt/expt.h"
#include "libexpt/tree/remove.h"

/* Make name in parent disappear atomically (rename to a .del name), then unlink
 * everything below it. */
int stage_remove(int parent, const char *name, struct expt_error *err);
/* Finish interrupted operations on this final name: remove unlocked stages, and complete
 * removals. Returns the number of removals completed. */
int stage_clean(int parent, const char *final);
/* Like stage_clean(), with a line EXPT_REMOVED or EXPT_FAILED in the report for each;
 * messages use path for the final name. dry_run: add only the lines. */
struct stage_cleaning {
	const char *path;
	bool dry_run;
	struct tree_patience *patience; /* or NULL: see tree_unlink() */
	struct expt_report *report;
};
int stage_clean_reporting(int parent, const char *final,
			  const struct stage_cleaning *cleaning);
/* Remove a hidden directory if its maker is gone. Returns 1 if so, 0 if the maker is
 * alive or the directory is not ours. dry_run: only check. */
int stage_clean_hidden(int parent, const char *name, bool dry_run,
		       struct tree_patience *patience, struct expt_error *err);

#endif
