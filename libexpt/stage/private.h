/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of this directory: renames and removals. */
#ifndef LIBEXPT_STAGE_PRIVATE_H
#define LIBEXPT_STAGE_PRIVATE_H

#include "libexpt/stage/aside.h"
#include "libexpt/stage/clean.h"
#include "libexpt/stage/rename.h"

#define STAGE_NAME_TRIES 100 /* random names, before the directory is to blame */

/* rename.c: renameat2(). */
int stage_rename_with(int from_parent, const char *from, int to_parent, const char *to,
		      unsigned flags);
/* Returns whether that result means that the file system does not support the flags. */
bool stage_cannot_rename(int code);

/* clean.c: open a hidden directory, after making it accessible if its mode denies that;
 * -1 and errno. */
int stage_open_hidden(int parent, const char *name);
/* Unlink the hidden directory name and its contents; dir is open on it. patience: see
 * tree_unlink(). */
int stage_unlink(int parent, const char *name, int dir, struct tree_patience *patience,
		 struct expt_error *err);

/* aside.c: open the experiment to be replaced, if it may be removed. */
int stage_open_replaced(int *dir, int parent, const char *name, const char *path,
			struct expt_error *err);
/* Open the experiment that has the name, and keep others from removing it. -EAGAIN: it is
 * gone, or being removed. Waits briefly for another lock. */
int stage_hold(struct stage_aside *aside, int parent, const char *name,
	       struct expt_error *err);
void stage_let_go(struct stage_aside *aside);
/* Hide the held experiment. -EAGAIN: it no longer has the name. */
int stage_hide_aside(struct stage_aside *aside);

#endif
