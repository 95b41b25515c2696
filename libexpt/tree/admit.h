/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories whose mode keeps their own owner out. A removal lets itself in, and gives
 * them their mode back when it is refused. Modes are changed through descriptors only, of
 * directories that belong to the caller; set-id bits are never set, not even again.
 */
#ifndef LIBEXPT_TREE_ADMIT_H
#define LIBEXPT_TREE_ADMIT_H

#include <stddef.h>
#include <sys/types.h>

struct admission {
	int fd;	     /* of the directory, O_PATH */
	mode_t mode; /* before; without set-id bits */
};

/* In the order in which they were let in, outer ones first. One thread at a time. */
struct admissions {
	struct admission *items;
	size_t count, capacity;
};

/* Open the directory name in dir for reading, on the same mount and not through a link.
 * The caller's own gets S_IRWXU first if its mode lacks that and keeps us out.
 * admissions, unless NULL, remembers its mode. Returns a descriptor; -EACCES: the
 * directory is another user's. */
int admit_open(struct admissions *admissions, int dir, const char *name);

/* Give all of them their modes back, the inner ones first, and forget them. */
void admissions_restore(struct admissions *admissions);
void admissions_release(struct admissions *admissions);

#endif
