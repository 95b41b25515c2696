/* SPDX-License-Identifier: Apache-2.0 */
/* Removal of a whole tree. */
#ifndef LIBEXPT_TREE_REMOVE_H
#define LIBEXPT_TREE_REMOVE_H

#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"
#include "libexpt/tree/directories.h"

/* The time that a series of removals may take beyond one pass each. Others may create
 * files in a directory faster than they can be removed. */
struct tree_patience {
	uint64_t left_ns;
};

#define TREE_PATIENCE_INIT                           \
	{                                            \
		.left_ns = UINT64_C(10) * 1000000000 \
	}

/* The passes of one removal. Each lists what is there and removes that. */
struct tree_passes {
	struct tree_patience *patience, own;
	unsigned count;
	uint64_t begun_ns, until_ns; /* end of the current pass; 0: no limit */
};

/* Without a patience, the removal has its own. */
void tree_passes_begin(struct tree_passes *passes, struct tree_patience *patience);
/* Begin another pass. -EBUSY: the time is used up, or there were too many passes. */
int tree_passes_next(struct tree_passes *passes, struct expt_error *err);
void tree_passes_end(struct tree_passes *passes);

/* Remove everything in the directory dir, which itself stays. The caller's own
 * directories are made accessible. Files that others remove at the same time are not an
 * error. -EBUSY: others keep creating new ones. patience may be NULL. */
int tree_unlink(int dir, struct tree_patience *patience, struct expt_error *err);
/* Remove the contents of directories that have been read; the root stays. Returns 1 if
 * other files have appeared in them and remain. -EBUSY: until_ns has passed; 0 means no
 * limit. */
int tree_unlink_listed(struct directories *directories, uint64_t until_ns,
		       struct expt_error *err);
/* Check whether that would succeed. -EPERM: a directory belongs to another user and does
 * not let us remove its contents. */
int tree_check_unlink(const struct directories *directories, struct expt_error *err);
/* Check whether we may remove this user's files from the directory: 0, or the reason. */
int tree_may_unlink(int dir, uid_t owner);

#endif
