/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All files of an experiment, found in one walk through directory descriptors: the input
 * of copying, verifying and exporting.
 */
#ifndef LIBEXPT_TREE_TREE_H
#define LIBEXPT_TREE_TREE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "libexpt/base/arena.h"
#include "libexpt/common/workers.h"
#include "libexpt/expt.h"
#include "libexpt/tree/directories.h"

struct tree_entry {
	const char *name; /* below the root: "_f1.er/log.xml"; "" for the root itself */
	const char *base; /* the last component of name */
	size_t directory; /* index of the directory it is in; the root is in itself */
	size_t first, children; /* of a directory: its entries are adjacent */
	unsigned char type;	/* DT_REG, DT_DIR or DT_LNK */
	mode_t mode;		/* permission bits */
	uid_t uid;
	gid_t gid;
	uint64_t size;	    /* in bytes; 0 unless DT_REG */
	uint64_t allocated; /* on disk: less than size where the file has holes */
	struct timespec atime, mtime;
	time_t changed; /* cannot be set by users; of a directory, the last change of its
			   names as well */
	const char *target; /* of a link */
};

/* items[0] is the root. A directory precedes its contents, and its entries are sorted by
 * strcmp(), so that the same files always give the same list. */
struct tree {
	struct tree_entry *items;
	size_t count, capacity;
	struct arena strings[WORKERS_MAX]; /* one for each thread that lists */
};

/* List everything below the directory dir, except the name left_out directly in it (may
 * be NULL), the temporary files of archives/ and what the recorder is still making.
 * -EBADMSG, with the name: something is neither a file nor a directory, is a link outside
 * archives/, or is on another file system. Release the tree after a failure as well. */
int tree_read(struct tree *tree, int dir, const char *left_out, struct expt_error *err);
/* Like tree_read(), for directories that have been read: their names are read again only
 * if they changed. */
int tree_read_listed(struct tree *tree, const struct directories *directories,
		     const char *left_out, struct expt_error *err);
/* Like tree_read(), but of the names directly in dir list only this one and what is below
 * it. */
int tree_read_only(struct tree *tree, int dir, const char *only, struct expt_error *err);
/* Add the tree's files to those that the report counts; report may be NULL. */
void tree_count(const struct tree *tree, struct expt_report *report);
void tree_release(struct tree *tree);

/* Open the directory of entry i (a DT_DIR) below dir. Returns a descriptor, or a negative
 * errno. */
int tree_open_directory(const struct tree *tree, int dir, size_t i);

#endif
