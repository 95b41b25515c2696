/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories whose mode keeps out their own owner. A removal grants itself access and
 * restores the modes if it is refused. Modes are changed through descriptors only, and
 * only of the caller's own directories; set-id bits are never set, not even restored.
 */
#ifndef LIBEXPT_TREE_ADMIT_H
#define LIBEXPT_TREE_ADMIT_H

#include <stddef.h>
#include <sys/types.h>

struct admission {
	int fd;	     /* of the directory, O_PATH */
	mode_t mode; /* before; without set-id bits */
};

/* In the order of admission, outer directories first. Not thread-safe. */
struct admissions {
	struct admission *items;
	size_t count, capacity;
};

/* Open the directory name in dir for reading, on the same mount and not through a link. A
 * directory of the caller's gets S_IRWXU first if its mode lacks that and denies access.
 * admissions, unless NULL, remembers its mode. Returns a descriptor; -EACCES: the
 * directory is another user's. */
int admit_open(struct admissions *admissions, int dir, const char *name);

/* Restore all the modes, inner directories first, and forget them. */
void admissions_restore(struct admissions *admissions);
void admissions_release(struct admissions *admissions);

#endif
