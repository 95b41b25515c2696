/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries that an experiment directory may have. Everything else relies on this check:
 * tools copy, move and remove a directory only if all its contents are known here.
 */
#ifndef LIBEXPT_LAYOUT_LAYOUT_H
#define LIBEXPT_LAYOUT_LAYOUT_H

#include <stdbool.h>

#include "libexpt/expt.h"
#include "libexpt/tree/directories.h"

enum layout_kind {
	LAYOUT_UNKNOWN,	   /* not an entry of experiments */
	LAYOUT_FILE,	   /* a file directly in an experiment */
	LAYOUT_DESCENDANT, /* a directory _*.er or M_r*.er */
	LAYOUT_ARCHIVES,   /* archives: flat, regular files and links to a store */
	LAYOUT_CLASSES,	   /* jdynclasses: class files in package directories */
};

/* Returns the kind of name, directly in a founder or in a descendant. Temporary names of
 * erkit's archiver (".NAME.XXXXXX.part") count as files, so that an interrupted run does
 * no harm. */
enum layout_kind layout_entry(const char *name, bool is_descendant);
/* Returns whether a file holds the call stacks to which records refer. */
bool layout_has_stacks(const char *name);

/* Open the experiment directory at path for an operation on all of it, after checking the
 * name, that it is a real directory (not a link), and that it and its descendants contain
 * nothing unknown. -ENOENT, -EINVAL (bad name, or a link), -EBADMSG (not a directory, or
 * an entry, which is named, does not belong to an experiment), -EPERM (a directory inside
 * is a mount point, so its contents belong elsewhere). Unless NULL, kept receives the
 * directories and names that were read, and the caller releases them; their root is
 * dir. */
int layout_open(int *dir, const char *path, struct directories *kept,
		struct expt_error *err);
/* Like layout_open(), below an open directory; messages use path. */
int layout_open_at(int *dir, int parent, const char *name, const char *path,
		   struct directories *kept, struct expt_error *err);
/* Like layout_open_at(), for a removal: the caller's own directories that deny access are
 * made accessible (admit.h). The caller restores their modes, after a failure as well.
 * admissions may be NULL. */
int layout_open_admitting(int *dir, int parent, const char *name, const char *path,
			  struct directories *kept, struct admissions *admissions,
			  struct expt_error *err);
/* Check only that the open directory holds nothing else, not its name. */
int layout_check(int dir, const char *path, struct directories *kept,
		 struct expt_error *err);

#endif
