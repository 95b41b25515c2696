/* SPDX-License-Identifier: Apache-2.0 */
/* A group file as its own functions see it: the text, and where the names of members
 * stand in it. */
#ifndef LIBEXPT_GROUP_PRIVATE_H
#define LIBEXPT_GROUP_PRIVATE_H

#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

struct group_member {
	const char *path;     /* resolved */
	size_t start, length; /* of the name as written */
};

struct expt_group {
	struct package *package; /* of a bundle, read as a group: then there is no text */
	struct arena strings;
	char *path, *text;
	struct group_member *items;
	size_t count, capacity;
};

/* Add a member: its path, and its name, length bytes of the text. 0 or -ENOMEM. */
int group_add_member(struct expt_group *group, const char *path, const char *name,
		     size_t length);
/* Open the group for changing, and wait for its lock, which ends with the descriptor.
 * Other programs put a new file at the path only under this lock, and what is returned is
 * the file that has it. -ELOOP: it is not a plain file; links are not followed. */
int group_open_locked(int *out, const char *path, int flags);
/* Describe an error of that function. */
int group_fail(struct expt_error *err, int code, const char *path);

#endif
