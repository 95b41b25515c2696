/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All or nothing. A result is made in a hidden sibling of its final name, ".NAME.XXXXXX.part", which
 * its maker keeps locked, and then renamed without replacing; a removal first renames to
 * ".NAME.XXXXXX.del". What dead makers left behind is removed by the next operation on that name.
 * layout/hidden.h has these names.
 */
#ifndef LIBEXPT_STAGE_STAGE_H
#define LIBEXPT_STAGE_STAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "libexpt/expt.h"
#include "libexpt/layout/hidden.h"
#include "libexpt/tree/remove.h"
#include "libexpt/tree/tree.h"

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

/* How durable stage_commit() makes the result before the final name appears, and that name after
 * it. true and false mean the first two. */
enum stage_sync {
	STAGE_NO_SYNC,
	STAGE_SYNC, /* everything */
	STAGE_SYNC_NAME, /* the caller has done it for the contents, the directories included */
};

/* Begin a stage for path, whose parent directory must exist. -EEXIST if the final name is taken and
 * replace is false, or by something that is no experiment. Removes stale stages and removals of the
 * same name first. */
int stage_open(struct stage *stage, const char *path, bool replace, struct expt_error *err);
/* Begin anew in an open stage: nothing is in it afterwards. */
int stage_empty(const struct stage *stage, struct expt_error *err);
/* What stage_open() would say of the final name, changing nothing. */
int stage_check(const char *path, bool replace, struct expt_error *err);
/* Put the complete stage at its final name and make the name durable. With replace the experiment
 * that has the name by then disappears in the same moment (exchange), else -EEXIST. The stage gets the
 * given mode. After success the stage is released; after a failure the final name is as it was, and
 * stage_release() removes the stage. */
int stage_commit(struct stage *stage, bool replace, enum stage_sync sync, mode_t mode,
		 struct expt_error *err);
/* Remove an uncommitted stage; nothing after a commit. errno is kept. */
void stage_release(struct stage *stage);

/* An experiment out of the way, hidden, until another one has its name. Nobody else removes it. */
struct stage_aside {
	int parent, dir;
	char final[STAGE_NAME_SIZE], hidden[STAGE_NAME_SIZE];
};
/* -EAGAIN: somebody else is replacing or removing it; otherwise err is set. */
int stage_set_aside(struct stage_aside *aside, int parent, const char *name,
		    struct expt_error *err);
/* Give it its name back. Who has taken that meanwhile has replaced it: it is removed then. */
void stage_put_back(struct stage_aside *aside);
void stage_discard(struct stage_aside *aside);
/* After -EAGAIN: wait a moment; false, after many tries, that it is enough. */
bool stage_try_again(unsigned tries);

/* Give the directory name in parent a hidden ".del" name, written to hidden. */
int stage_hide(char *hidden, int parent, const char *name);
/* Rename, never replacing: -EEXIST if the new name is taken. -EXDEV: other file systems. */
int stage_rename(int from_parent, const char *from, int to_parent, const char *to);
/* Make name in parent disappear at once (rename to a .del name) and then unlink all below it. */
int stage_remove(int parent, const char *name, struct expt_error *err);
/* Finish what others began and did not end: unlocked stages and removals of this final name. Returns
 * how many removals it has finished. */
int stage_clean(int parent, const char *final);
/* The same, with a line EXPT_REMOVED or EXPT_FAILED in the report for each; path is what messages call the
 * final name. dry_run: only those lines. */
struct stage_cleaning {
	const char *path;
	bool dry_run;
	struct tree_patience *patience; /* or NULL: see tree_unlink() */
	struct expt_report *report;
};
int stage_clean_reporting(int parent, const char *final,
			  const struct stage_cleaning *cleaning);
/* Remove what has a hidden name if its maker is gone: 1; 0: somebody is at work there, or it is not
 * ours. dry_run: it would be. */
int stage_clean_hidden(int parent, const char *name, bool dry_run,
		       struct tree_patience *patience, struct expt_error *err);
/* fsync a directory after its names changed. */
int stage_sync_directory(int dir);

#endif
