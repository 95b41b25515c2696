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
	EXPT_SYNC_WHOLE,		/* the file system once, at the end; few files one by one */
	EXPT_SYNC_NONE,			/* do not wait for the disk */
	EXPT_SYNC_PER_FILE,		/* each file and directory, and no other program's */
};
enum expt_reflink {
	EXPT_REFLINK_AUTO,		/* share the blocks of the original where possible */
	EXPT_REFLINK_NEVER,
};
/* As cp(1) has it. Only with the first are blocks shared. */
enum expt_sparse {
	EXPT_SPARSE_AUTO,		/* holes stay holes */
	EXPT_SPARSE_ALWAYS,		/* blocks of zeros become holes, too */
	EXPT_SPARSE_NEVER,		/* holes become zeros */
};

/* Whole experiments, descendants included; they refuse what is not one. At any moment, whatever
 * happens, the final name is free or holds the whole result, and the source is whole. */
struct expt_copy_options {
	struct expt_operation operation;
	bool replace;			/* an experiment that has the name */
	bool verify;			/* read the copy back */
	bool without_archives;
	bool without_attributes;	/* times, modes and owner: those of new files */
	enum expt_archive_mode mode;	/* what the archives of the copy lack of this is put there */
	enum expt_sync sync;
	enum expt_reflink reflink;
	enum expt_sparse sparse;
};
/* A sub-experiment becomes an experiment of its own, with the founder's archives. 0 also where a file
 * changed meanwhile or is missing, which the report says. -EINVAL, -EEXIST: to is not a name for the
 * copy. */
int expt_copy(const char *from, const char *to, const struct expt_copy_options *options,
	      struct expt_error *err);

/* 1: the experiments have the same files with the same bytes, modes and times, so that one is a
 * finished copy of the other; 0: they have not. */
int expt_is_same(const char *one, const char *other, struct expt_error *err);

struct expt_move_options {
	struct expt_operation operation; /* progress and threads are those of a copy */
	bool replace;			/* an experiment that has the name */
	bool even_live;			/* also while it is being recorded */
};
/* By rename where possible, otherwise copied, verified, made durable, and then removed. */
int expt_move(const char *from, const char *to, const struct expt_move_options *options,
	      struct expt_error *err);

struct expt_remove_options {
	/* Only dry_run and report matter, which gets a line EXPT_REMOVED for what an interrupted
	 * operation left beside the experiment. */
	struct expt_operation operation;
	bool even_live;			/* also while it is being recorded */
};
/* -ENOENT: no such experiment; -EBUSY: it is still being recorded; -EINVAL: it is a descendant, which
 * goes with its founder only. A symbolic link is removed itself, never what it names. What an
 * interrupted removal of that name left is removed, too, and enough for success. */
int expt_remove(const char *path, const struct expt_remove_options *options,
		struct expt_error *err);

/* ---- single files ------------------------------------------------------------------ */

/* A file that appears at path whole and durable, or not at all: write to the descriptor, then
 * commit. Without a commit nothing is left. -EEXIST: the name is taken, and replace is false. */
struct expt_output;
int expt_output_open(struct expt_output **out, const char *path, bool replace,
		     struct expt_error *err);
int expt_output_fd(const struct expt_output *output);	/* borrowed: close a duplicate */
int expt_output_commit(struct expt_output *output, struct expt_error *err);
void expt_output_close(struct expt_output *output);

EXPT_DECLARATIONS_END

#endif
