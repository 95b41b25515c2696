/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All or nothing. A result is made in a hidden sibling of its final name, ".NAME.XXXXXX.part", which
 * its maker keeps locked, and then renamed without replacing; a removal first renames to
 * ".NAME.XXXXXX.del". What dead makers left behind is removed by the next operation on that name.
 */
#ifndef LIBEXPT_STAGE_H
#define LIBEXPT_STAGE_H

#include <stdbool.h>

#include "libexpt/expt.h"

struct stage {
	int parent;	 /* the directory of the final name */
	int dir;	 /* the stage: a directory, mode 0700, flock held */
	char name[256];	 /* of the stage, in parent */
	char final[256]; /* the name it is for, in parent */
};

#define STAGE_INIT                      \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* Begin a stage for path, whose parent directory must exist. -EEXIST if the final name is taken and
 * replace is false. Removes stale stages and removals of the same name first. */
int stage_open(struct stage *stage, const char *path, bool replace, struct expt_error *err);
/* Put the complete stage at its final name and make the name durable. With replace the experiment
 * that has the name disappears in the same moment (exchange), else -EEXIST. sync: wait for the
 * disk before the name appears. After success the stage is released. */
int stage_commit(struct stage *stage, bool replace, bool sync, mode_t mode,
		 struct expt_error *err);
/* Remove an uncommitted stage; nothing after a commit. errno is kept. */
void stage_release(struct stage *stage);

/* Make name in parent disappear at once (rename to a .del name) and then unlink all below it. */
int stage_remove(int parent, const char *name, struct expt_error *err);
/* Finish what others began and did not end: unlocked stages and removals of this final name. */
void stage_clean(int parent, const char *final);

#endif
