/* SPDX-License-Identifier: Apache-2.0 */
/* Files that changed while they were copied. */
#ifndef LIBEXPT_MANAGE_CHANGES_H
#define LIBEXPT_MANAGE_CHANGES_H

#include "libexpt/copy/copy.h"
#include "libexpt/expt.h"

struct changes {
	bool is_live; /* the experiment, whose files grow then */
	bool is_move; /* for which nothing may change */
	struct expt_report *report;
};

/* Whether a file changed that should not have. */
bool changes_are_left(const struct changes *changes, const struct tree_copy *copy);
/* A line of the report for each, and for what the file system does not keep. -EPERM: one
 * changed, and it is a move. */
int changes_report(const struct changes *changes, const struct tree_copy *copy,
		   struct expt_error *err);

#endif
