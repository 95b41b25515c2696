/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Importing: import.c runs it and takes member by member, target.c keeps the resulting
 * experiments, their names and stages, into.c, former.c and archives.c make them
 * descendants of one founder, group.c writes group files, index.c compares the members
 * with the index.
 */
#ifndef LIBEXPT_IMPORT_PRIVATE_H
#define LIBEXPT_IMPORT_PRIVATE_H

#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/index.h"
#include "libexpt/bundle/members.h"
#include "libexpt/bundle/unpack.h"
#include "libexpt/expt.h"
#include "libexpt/stage/aside.h"
#include "libexpt/stage/stage.h"

/* An experiment, or a group, in the bundle. */
struct target {
	char top[256];	 /* its name in the bundle */
	char final[256]; /* and its name here */
	struct stage stage;
	char *group;	  /* the text of a group */
	bool is_verified; /* by a manifest */
	bool is_done;
	uint64_t files, bytes;
};

struct import {
	const struct expt_import_options *options;
	const char *source; /* for messages */
	int founder;	    /* that gets the ranks; -1: none */
	bool is_check;
	struct unpacker from;
	struct members members;
	struct {
		struct target *items;
		size_t count, capacity;
	} targets;
	size_t unlisted; /* first member not yet covered by a manifest */
	size_t pending;	 /* experiments not yet committed */
	size_t groups;
	char *index_text;
	struct bundle_index index; /* parsed from index_text, if there is one */
	struct digest *passed;	   /* sum of the members, if the index comes after them */
	bool has_index, has_manifest, has_experiment, differs;
};

/* Neither a check nor a dry run. */
static inline bool import_writes(const struct import *import)
{
	return !import->is_check && !import->options->operation.dry_run;
}

/* Find the target that a member belongs to; add it for its first member. */
int import_find_target(struct import *import, const struct member *member, size_t *owner,
		       struct expt_error *err);
/* Put experiments in place: those that a manifest has verified, or all. */
int import_commit_experiments(struct import *import, bool all, struct expt_error *err);
/* Make the path of the result with this name. */
int import_path(struct strbuf *path, const struct import *import, const char *name,
		struct expt_error *err);
void import_release_targets(struct import *import);

/* The index of the bundle fd, if there is one, must name exactly the members that are
 * read, in order. -EBADMSG if it does not; a check adds a line to the report instead. In
 * a pipe the index comes last: no experiment appears before it is read, unless more
 * experiments wait than may be pending. */
int import_open_index(struct import *import, int fd, struct expt_error *err);
int import_compare_index(struct import *import, const struct tar_member *member,
			 struct expt_error *err);
int import_finish_index(struct import *import, struct expt_error *err);
/* Open the founder that the ranks are for. */
int import_open_founder(struct import *import, struct expt_error *err);
/* Put a rank in place there. */
int import_join(struct import *import, struct target *target, mode_t mode,
		struct expt_error *err);
/* Hide the rank that the new one replaces, with its descendants, and remove what an
 * interrupted import has left. prefix is "M_r3". One of the next two ends it. */
struct former {
	struct stage_aside *items;
	size_t count, capacity;
};
int former_set_aside(struct former *former, const struct import *import,
		     const struct stage *new, const char *prefix, struct expt_error *err);
void former_put_back(struct former *former);
void former_discard(struct former *former);
/* Move the descendants of a rank out of its directory, as "_f1.er", to that of the
 * founder, as "M_r3_f1.er", or back. */
int descendants_move_out(int rank, int founder, const char *prefix,
			 struct expt_error *err);
int descendants_move_in(int rank, int founder, const char *prefix,
			struct expt_error *err);
/* Move the files of archives/ to those of the founder; both are directories of
 * experiments. */
int import_merge_archives(int from, int founder, struct expt_error *err);
int import_read_group(struct import *import, struct target *target, struct member *member,
		      struct expt_error *err);
/* Put groups in place, after their members: a visible group is complete. */
int import_commit_groups(struct import *import, struct expt_error *err);

#endif
