/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Importing: import.c is the run and takes member by member, target.c knows the
 * experiments that come out, their names and stages, group.c writes group files, index.c
 * compares with the index.
 */
#ifndef LIBEXPT_IMPORT_PRIVATE_H
#define LIBEXPT_IMPORT_PRIVATE_H

#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/index.h"
#include "libexpt/bundle/members.h"
#include "libexpt/bundle/unpack.h"
#include "libexpt/expt.h"
#include "libexpt/stage/stage.h"

/* An experiment, or a group, in the bundle. */
struct target {
	char top[256];	 /* its name in the bundle */
	char final[256]; /* and here */
	struct stage stage;
	char *group;	  /* the text of a group */
	bool is_verified; /* by a manifest */
	bool is_done;
	uint64_t files, bytes;
};

struct import {
	const struct expt_import_options *options;
	const char *source; /* for messages */
	bool is_check;
	struct unpacker from;
	struct members members;
	struct {
		struct target *items;
		size_t count, capacity;
	} targets;
	size_t unlisted; /* the first member that no manifest has spoken of yet */
	size_t pending;	 /* experiments not yet committed */
	size_t groups;
	char *index_text;
	struct bundle_index index; /* of it, if there is one */
	struct digest *passed;	   /* of members, where an index can only follow them */
	bool has_index, has_manifest, has_experiment, differs;
};

/* Not a check, not a dry run. */
static inline bool import_writes(const struct import *import)
{
	return !import->is_check && !import->options->operation.dry_run;
}

/* The target that a member belongs to, made if it is the first one. */
int import_find_target(struct import *import, const struct member *member, size_t *owner,
		       struct expt_error *err);
/* Those that a manifest has verified, or all, appear. */
int import_commit_experiments(struct import *import, bool all, struct expt_error *err);
/* Where the result of this name stands. */
int import_path(struct strbuf *path, const struct import *import, const char *name,
		struct expt_error *err);
void import_release_targets(struct import *import);

/* The index of the bundle fd, if it has one, must name the members that are read, one by
 * one, and no others: -EBADMSG if it does not, or, in a check, a line of the report. From
 * a pipe it comes behind them: nothing appears before it was seen, unless there are more
 * experiments than can wait for it. */
int import_open_index(struct import *import, int fd, struct expt_error *err);
int import_compare_index(struct import *import, const struct tar_member *member,
			 struct expt_error *err);
int import_finish_index(struct import *import, struct expt_error *err);
int import_take_group(struct import *import, struct target *target, struct member *member,
		      struct expt_error *err);
/* Groups last: when a group can be seen, so can its members. */
int import_commit_groups(struct import *import, struct expt_error *err);

#endif
