/* SPDX-License-Identifier: Apache-2.0 */
/* The removal of a whole tree. */
#ifndef LIBEXPT_TREE_REMOVE_H
#define LIBEXPT_TREE_REMOVE_H

#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"
#include "libexpt/tree/directories.h"

/* How much longer removals go on, together, than one pass each. Others may make files in
 * a directory while it is removed, faster than they can be removed. */
struct tree_patience {
	uint64_t left_ns;
};

#define TREE_PATIENCE_INIT                           \
	{                                            \
		.left_ns = UINT64_C(10) * 1000000000 \
	}

/* The passes of one removal. Each lists what there is, and removes that. */
struct tree_passes {
	struct tree_patience *patience, own;
	unsigned count;
	uint64_t begun_ns,
		until_ns; /* of the current one; until 0: it takes as long as it takes */
};

/* patience may be NULL: that of this removal alone. */
void tree_passes_begin(struct tree_passes *passes, struct tree_patience *patience);
/* Begin another pass. -EBUSY: it has been enough, or too many. */
int tree_passes_next(struct tree_passes *passes, struct expt_error *err);
void tree_passes_end(struct tree_passes *passes);

/* Remove all that is in the directory dir, which itself stays. The caller's own
 * directories that do not allow it are made to. Files that others remove at the same time
 * are not an error. -EBUSY: others make new ones all the time. patience may be NULL. */
int tree_unlink(int dir, struct tree_patience *patience, struct expt_error *err);
/* Remove what is in directories that have been read; the root stays. 1: something else
 * has appeared in them, and is there. -EBUSY: it took until until_ns, which 0 makes
 * endless. */
int tree_unlink_listed(struct directories *directories, uint64_t until_ns,
		       struct expt_error *err);
/* Whether that would get through: -EPERM if a directory is somebody else's and does not
 * let us remove what it holds. */
int tree_check_unlink(const struct directories *directories, struct expt_error *err);
/* Whether we may remove from the directory what belongs to this user: 0, or why not. */
int tree_may_unlink(int dir, uid_t owner);

#endif
