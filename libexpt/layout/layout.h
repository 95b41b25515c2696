/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which entries an experiment directory may have. This is what protects everything else:
 * tools copy, move and remove a directory only if all it holds is known here.
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
	LAYOUT_ARCHIVES, /* archives: flat, regular files and links of a common archive */
	LAYOUT_CLASSES,	 /* jdynclasses: class files in package directories */
};

/* What name is, directly in a founder or in a descendant. Temporary names of our own
 * archiver
 * (".NAME.XXXXXX.part") count as files, so that an interrupted one does no harm. */
enum layout_kind layout_entry(const char *name, bool is_descendant);
/* Whether a file holds the call stacks that records name. */
bool layout_has_stacks(const char *name);

/* Open the experiment directory at path for an operation on the whole of it: the name
 * rule, a real directory (not a link), and nothing unknown inside, descendants included.
 * -ENOENT, -EINVAL (the name rule, a link), -EBADMSG (no directory, or something inside
 * is not an experiment's, named), -EPERM (a directory inside is a mount point: what is
 * mounted there belongs to somebody else). Where kept is not NULL it gets the directories
 * and names that were read, which are the caller's then; their root is dir. */
int layout_open(int *dir, const char *path, struct directories *kept,
		struct expt_error *err);
/* The same below an open directory; path is what messages call it. */
int layout_open_at(int *dir, int parent, const char *name, const char *path,
		   struct directories *kept, struct expt_error *err);
/* The same for a removal: the caller's own directories that keep him out let him in
 * (admit.h). After a failure, too, their modes are the caller's to restore. NULL: as
 * layout_open_at(). */
int layout_open_admitting(int *dir, int parent, const char *name, const char *path,
			  struct directories *kept, struct admissions *admissions,
			  struct expt_error *err);
/* Only whether the open directory holds nothing else, not how it is called. */
int layout_check(int dir, const char *path, struct directories *kept,
		 struct expt_error *err);

#endif
