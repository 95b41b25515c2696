/* SPDX-License-Identifier: Apache-2.0 */
/* Files that changed while they were copied. */
#ifndef LIBEXPT_MANAGE_CHANGES_H
#define LIBEXPT_MANAGE_CHANGES_H

#include "libexpt/copy/copy.h"
#include "libexpt/expt.h"

struct changes {
	bool is_live; /* the experiment is live: its files may grow */
	bool is_move; /* nothing may change during a move */
	struct expt_report *report;
};

/* Returns true if a file changed that should not have. */
bool changes_exist(const struct changes *changes, const struct tree_copy *copy);
/* Report each file that changed, and attributes that the file system does not keep.
 * -EPERM: a file changed during a move. */
int changes_report(const struct changes *changes, const struct tree_copy *copy,
		   struct expt_error *err);

#endif
