/* SPDX-License-Identifier: Apache-2.0 */
/* Experiment groups: lists of experiments, in a file, or what a bundle holds. */
/* clang-format off */
#ifndef LIBEXPT_API_GROUP_H
#define LIBEXPT_API_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/open.h"

EXPT_DECLARATIONS_BEGIN

struct expt_group;			/* the members of a group file */

/* Names are taken relative to the group file's directory and, if not found there, to the current
 * directory. -EBADMSG: the first line is not a group's, or a member is a group itself. */
int expt_group_open(struct expt_group **out, const char *path, struct expt_error *err);
/* What else is read as a group: a bundle, or somebody's own tarball, with what it holds. That is what a
 * regular file is taken for if its name is not a group's. The options are as in expt_open_with().
 * -EBADMSG: it is none. */
bool expt_is_bundle(const char *path);
int expt_group_open_bundle(struct expt_group **out, const char *path,
			   const struct expt_import_options *options,
			   struct expt_error *err);
void expt_group_close(struct expt_group *group);
size_t expt_group_count(const struct expt_group *group);
const char *expt_group_member(const struct expt_group *group, size_t i);	/* resolved path */
/* The same member as expt_open() opens by its path, but a bundle is not opened again for it. It may be
 * closed after the group. */
int expt_group_member_open(struct expt **out, struct expt_group *group, size_t i,
			   struct expt_error *err);
/* Append a member, creating the group if there is none, under the file's lock. */
int expt_group_add(const char *path, const char *member, struct expt_error *err);
/* Write the group to path with other names, one for each member; NULL keeps the old. Remarks stay. The
 * file appears there whole or not at all. -EEXIST: the name is taken, and replace is false. */
int expt_group_write(const struct expt_group *group, const char *const *names, const char *path,
		     bool replace, struct expt_error *err);
/* In the group at path, name the experiment that was at from, and is gone from there, by its new path
 * to: under the group's lock, and at once. Returns how many lines had named it. */
int expt_group_rename(const char *path, const char *from, const char *to,
		      struct expt_error *err);
/* Remove the file of a group, but not where it has other members by now: -EBUSY. */
int expt_group_remove(const struct expt_group *group, struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
