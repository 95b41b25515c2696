/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All or nothing. A result is made in a hidden sibling of its final name,
 * ".NAME.XXXXXX.part", which its maker keeps locked, and then renamed without replacing;
 * a removal first renames to
 * ".NAME.XXXXXX.del". What dead makers left behind is removed by the next operation on
 * that name. layout/hidden.h has these names.
 */
#ifndef LIBEXPT_STAGE_STAGE_H
#define LIBEXPT_STAGE_STAGE_H

#include <stdbool.h>

#include "libexpt/expt.h"
#include "libexpt/layout/hidden.h"

struct stage {
	int parent;		     /* the directory of the final name */
	int dir;		     /* the stage: a directory, mode 0700, flock held */
	char name[STAGE_NAME_SIZE];  /* of the stage, in parent */
	char final[STAGE_NAME_SIZE]; /* the name it is for, in parent */
};

#define STAGE_INIT                      \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* Begin a stage for path, whose parent directory must exist. -EEXIST if the final name is
 * taken and replace is false, or by something that is no experiment. Removes stale stages
 * and removals of the same name first. */
int stage_open(struct stage *stage, const char *path, bool replace,
	       struct expt_error *err);
/* Begin anew in an open stage: nothing is in it afterwards. */
int stage_empty(const struct stage *stage, struct expt_error *err);
/* What stage_open() would say of the final name, changing nothing. */
int stage_check(const char *path, bool replace, struct expt_error *err);
/* Remove an uncommitted stage; nothing after a commit. errno is kept. */
void stage_release(struct stage *stage);

#endif
