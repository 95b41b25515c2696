/* SPDX-License-Identifier: Apache-2.0 */
/* Copying, moving and removing whole experiments, and making single files. */
/* clang-format off */
#ifndef LIBEXPT_API_MANAGE_H
#define LIBEXPT_API_MANAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/archive.h"

EXPT_DECLARATIONS_BEGIN

/* ---- copy, move, remove ------------------------------------------------------------ */

enum expt_sync {
	/* The file system once, at the end; if there are few files, one by one. */
	EXPT_SYNC_WHOLE,
	EXPT_SYNC_NONE,			/* do not wait for the disk */
	EXPT_SYNC_PER_FILE,		/* each file and directory; no other program's */
};
enum expt_reflink {
	EXPT_REFLINK_AUTO,		/* share blocks with the original if possible */
	EXPT_REFLINK_NEVER,
};
/* As in cp(1). Blocks are shared with the first only. */
enum expt_sparse {
	EXPT_SPARSE_AUTO,		/* holes stay holes */
	EXPT_SPARSE_ALWAYS,		/* blocks of zeros become holes, too */
	EXPT_SPARSE_NEVER,		/* holes become zeros */
};

/* These act on whole experiments, descendants included, and refuse everything else. At
 * any moment, whatever happens, the final name is free or holds the whole result, and the
 * source is whole. */
struct expt_copy_options {
	struct expt_operation operation;
	bool replace;			/* an experiment that has the name */
	bool verify;			/* read the copy back */
	bool without_archives;
	bool without_attributes;	/* times, modes and owner of new files */
	enum expt_archive_mode mode;	/* complete the archives of the copy like this */
	enum expt_sync sync;
	enum expt_reflink reflink;
	enum expt_sparse sparse;
};
/* A descendant becomes a separate experiment, with the founder's archives. 0 also
 * if a file is missing or changed during the copy; the report names it. -EINVAL, -EEXIST:
 * to cannot be the name of the copy. */
int expt_copy(const char *from, const char *to, const struct expt_copy_options *options,
	      struct expt_error *err);

/* 1: the experiments have the same files with the same bytes, modes and times, so that
 * one is a finished copy of the other; 0: they differ. */
int expt_is_same(const char *one, const char *other, struct expt_error *err);

struct expt_move_options {
	/* progress and threads are those of the copy, if one is necessary. */
	struct expt_operation operation;
	bool replace;			/* an experiment that has the name */
	bool even_live;			/* also while it is being recorded */
};
/* Rename if possible; otherwise copy, verify, wait for the disk, and remove the
 * source. */
int expt_move(const char *from, const char *to, const struct expt_move_options *options,
	      struct expt_error *err);

struct expt_remove_options {
	/* Only dry_run and report are used. The report gets a line EXPT_REMOVED for each
	 * remainder of an interrupted operation on the same name. */
	struct expt_operation operation;
	bool even_live;			/* also while it is being recorded */
};
/* A symbolic link is removed itself, never what it leads to. Remainders of an interrupted
 * removal of that name are removed, too, and suffice for success. -ENOENT: no such
 * experiment; -EBUSY: it is still being recorded; -EINVAL: it is a descendant, which only
 * goes with its founder. */
int expt_remove(const char *path, const struct expt_remove_options *options,
		struct expt_error *err);

/* ---- new experiments --------------------------------------------------------------- */

/* An experiment that appears at path whole and durable, or not at all. Make its files in
 * the directory, then commit; without a commit nothing remains. -EEXIST: the name is
 * taken, and replace is false, or it is not an experiment. -EINVAL: path is not the name
 * of an experiment, or is inside another one. */
struct expt_creation;
int expt_creation_open(struct expt_creation **out, const char *path, bool replace,
		       struct expt_error *err);
int expt_creation_dir(const struct expt_creation *creation);	/* borrowed */
int expt_creation_commit(struct expt_creation *creation, struct expt_error *err);
void expt_creation_close(struct expt_creation *creation);

/* ---- single files ------------------------------------------------------------------ */

/* A file that appears at path whole and durable, or not at all. Write to the descriptor,
 * then commit; without a commit nothing remains. -EEXIST: the name is taken, and replace
 * is false. */
struct expt_output;
int expt_output_open(struct expt_output **out, const char *path, bool replace,
		     struct expt_error *err);
int expt_output_fd(const struct expt_output *output);	/* borrowed: close a duplicate */
int expt_output_commit(struct expt_output *output, struct expt_error *err);
void expt_output_close(struct expt_output *output);

EXPT_DECLARATIONS_END

#endif
