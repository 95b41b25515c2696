/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All-or-nothing results. A result is made in a hidden sibling of its final name,
 * ".NAME.XXXXXX.part", which its maker keeps locked, and then renamed without replacing;
 * a removal first renames to ".NAME.XXXXXX.del". The next operation on that name removes
 * what dead makers left. layout/hidden.h has these names.
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
	char final[STAGE_NAME_SIZE]; /* the final name, in parent */
};

#define STAGE_INIT                      \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* Begin a stage for path, whose parent directory must exist. -EEXIST: the final name is
 * taken, and replace is false or it is not an experiment. Removes stale stages and
 * removals of the same name first. */
int stage_open(struct stage *stage, const char *path, bool replace,
	       struct expt_error *err);
/* Empty an open stage, to begin again. */
int stage_empty(const struct stage *stage, struct expt_error *err);
/* Check whether stage_open() would accept the final name, changing nothing. */
int stage_check(const char *path, bool replace, struct expt_error *err);
/* Remove an uncommitted stage; no effect after a commit. Keeps errno. */
void stage_release(struct stage *stage);

#endif
