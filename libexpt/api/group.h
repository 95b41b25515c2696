/* SPDX-License-Identifier: Apache-2.0 */
/* Experiment groups: lists of experiments in a file, and the experiments of a bundle. */
/* clang-format off */
#ifndef LIBEXPT_API_GROUP_H
#define LIBEXPT_API_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/open.h"

EXPT_DECLARATIONS_BEGIN

struct expt_group;

/* Members are named relative to the directory of the group file and, if they are not
 * found there, to the current directory. -EBADMSG: the first line is not a group's, or a
 * member is a group itself. */
int expt_group_open(struct expt_group **out, const char *path, struct expt_error *err);
/* A bundle, or any tarball, can also be opened as the group of the experiments in it. A
 * regular file whose name is not a group's is treated as one. Options are as of
 * expt_open_with(). -EBADMSG: it is not a bundle. */
bool expt_is_bundle(const char *path);
int expt_group_open_bundle(struct expt_group **out, const char *path,
			   const struct expt_import_options *options,
			   struct expt_error *err);
void expt_group_close(struct expt_group *group);
size_t expt_group_count(const struct expt_group *group);
/* The resolved path of a member. */
const char *expt_group_member(const struct expt_group *group, size_t i);
/* Open a member as expt_open() does by its path, but without opening a bundle again. It
 * may be closed after the group. */
int expt_group_member_open(struct expt **out, struct expt_group *group, size_t i,
			   struct expt_error *err);
/* Append a member, under the lock of the file, which is made if there is none. */
int expt_group_add(const char *path, const char *member, struct expt_error *err);
/* Write the group to path with other names, one for each member; NULL keeps the old one.
 * Comments are kept. The file appears whole or not at all. -EEXIST: the name is taken,
 * and replace is false. */
int expt_group_write(const struct expt_group *group, const char *const *names,
		     const char *path, bool replace, struct expt_error *err);
/* In the group at path, give the experiment that was moved from one path to another its
 * new name, under the lock of the group and in one step. Returns how many lines named
 * it. */
int expt_group_rename(const char *path, const char *from, const char *to,
		      struct expt_error *err);
/* Remove the file of a group. -EBUSY: it has other members by now. */
int expt_group_remove(const struct expt_group *group, struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
