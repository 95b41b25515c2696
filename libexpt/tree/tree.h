/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All files of an experiment, found in one walk through directory descriptors: what copying,
 * verifying and exporting work on; and the removal of a whole tree.
 */
#ifndef LIBEXPT_TREE_H
#define LIBEXPT_TREE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/common/workers.h"
#include "libexpt/expt.h"
#include "libexpt/tree/directories.h"

struct tree_entry {
	const char *name; /* below the root: "_f1.er/log.xml"; "" for the root itself */
	const char *base; /* the last component of name */
	size_t directory; /* index of the directory it is in; the root is in itself */
	size_t first, children; /* of a directory: its entries stand together */
	unsigned char type;	/* DT_REG, DT_DIR or DT_LNK */
	mode_t mode;		/* permission bits */
	uid_t uid;
	gid_t gid;
	uint64_t size;	    /* in bytes; 0 unless DT_REG */
	uint64_t allocated; /* on disk: less than size where the file has holes */
	struct timespec atime, mtime;
	time_t changed; /* which nobody can set: for a directory, when a name came or went, too */
	const char *target; /* of a link */
};

/* items[0] is the root. A directory stands before what is in it, and its entries are in the order
 * of strcmp(), so that the same files always give the same list. */
struct tree {
	struct tree_entry *items;
	size_t count, capacity;
	struct arena strings[WORKERS_MAX]; /* of each thread that listed */
};

/* List everything below the directory dir, without what stands directly in it under the name
 * left_out (which may be NULL), and without the temporary files of archives/ and what the recorder is
 * still making. -EBADMSG, and the
 * name: something is neither file nor directory, a link outside archives/, or on another file
 * system. Release the tree after a failure as well. */
int tree_read(struct tree *tree, int dir, const char *left_out, struct expt_error *err);
/* The same of directories that have been read, whose names are not read again unless they changed. */
int tree_read_listed(struct tree *tree, const struct directories *directories,
		     const char *left_out, struct expt_error *err);
/* The same, of what stands directly in dir only the one name, and what is below it. */
int tree_read_only(struct tree *tree, int dir, const char *only, struct expt_error *err);
/* Take out the entries i with is_left_out[i], and all below them, which it marks as well. -ENOMEM. */
int tree_leave_out(struct tree *tree, bool *is_left_out);
/* Add its files to those that the report counts; report may be NULL. */
void tree_count(const struct tree *tree, struct expt_report *report);
void tree_release(struct tree *tree);

/* Open the directory of entry i (a DT_DIR) below dir. Returns a descriptor, or a negative errno. */
int tree_open_directory(const struct tree *tree, int dir, size_t i);

struct tree_measure {
	uint64_t files; /* all that are no directories */
	uint64_t allocated; /* bytes on the disk, of directories, too; each file once, whatever its links */
	uint64_t added; /* of them, those of files that no tree measured before has */
	struct timespec newest; /* modification of any file; of the directory, if it has none */
};

/* Files with several links in the trees of one owner, measured one after the other. */
struct tree_links {
	struct idmap trees; /* the last tree that a file was in, by owner and inode */
	uint32_t count;	    /* of trees */
};

void tree_links_release(struct tree_links *links);

/* Measure all below the directory dir, and dir itself. owner: whose trees share links with it. */
int tree_measure(struct tree_measure *measure, int dir, struct tree_links *links,
		 uid_t owner, struct expt_error *err);

/* How much longer removals go on, together, than one pass each. Others may make files in a directory
 * while it is removed, faster than they can be removed. */
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

/* Remove all that is in the directory dir, which itself stays. The caller's own directories that do not
 * allow it are made to. Files that others remove at the same time are not an error. -EBUSY: others make new
 * ones all the time. patience may be NULL. */
int tree_unlink(int dir, struct tree_patience *patience, struct expt_error *err);
/* Remove what is in directories that have been read; the root stays. 1: something else has appeared in
 * them, and is there. -EBUSY: it took until until_ns, which 0 makes endless. */
int tree_unlink_listed(struct directories *directories, uint64_t until_ns,
		       struct expt_error *err);
/* Whether that would get through: -EPERM if a directory is somebody else's and does not let us remove what
 * it holds. */
int tree_check_unlink(const struct directories *directories, struct expt_error *err);
/* Whether we may remove from the directory what belongs to this user: 0, or why not. */
int tree_may_unlink(int dir, uid_t owner);

#endif
