/* SPDX-License-Identifier: Apache-2.0 */
/* A group file inside libexpt: its text, and the positions of the names in it. */
#ifndef LIBEXPT_GROUP_PRIVATE_H
#define LIBEXPT_GROUP_PRIVATE_H

#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

struct group_member {
	const char *path;     /* resolved */
	size_t start, length; /* of the name as written */
};

struct expt_group {
	struct package *package; /* unless NULL, a bundle read as a group, without text */
	struct arena strings;
	char *path, *text;
	struct group_member *items;
	size_t count, capacity;
};

/* Add a member with its path, and its name, length bytes of the text. Returns 0 or
 * -ENOMEM. */
int group_add_member(struct expt_group *group, const char *path, const char *name,
		     size_t length);
/* Open the group for changing, and wait for its lock, which ends with the descriptor.
 * Other programs replace the file at the path only under this lock, and the file returned
 * is the one that has the path. -ELOOP: not a plain file; links are not followed. */
int group_open_locked(int *out, const char *path, int flags);
/* Describe an error of group_open_locked(). */
int group_fail(struct expt_error *err, int code, const char *path);

#endif
