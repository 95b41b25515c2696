/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory that an experiment is read from: of a file system, or of a bundle. What is opened in it
 * is a descriptor in both cases, so that readers need not know. Nothing leaves it, and no link is
 * followed.
 *
 * Somebody may open more experiments than there are descriptors. A folder that says where it is gives its
 * own back where they are scarce, and opens itself again for as long as something in it is looked for.
 */
#ifndef LIBEXPT_FOLDER_H
#define LIBEXPT_FOLDER_H

#include "libexpt/base/io.h"
#include "libexpt/package.h"

struct folder {
	int dir;		    /* of a file system, else -1 */
	struct folder_place *place; /* or NULL; or: where dir was, which is closed for now */
	struct package *package;    /* or of this bundle ... */
	size_t member;		    /* ... this directory */
};

/* clang-format off */
#define FOLDER_NONE { .dir = -1 }
/* clang-format on */
#define cleanup_folder __attribute__((__cleanup__(folder_close)))

bool folder_is_open(const struct folder *folder);
void folder_close(struct folder *folder); /* afterwards it is as FOLDER_NONE */

/* It is the directory of that name in its parent, which lasts longer than it, or, without a parent, of that
 * path: close it for now, if descriptors are scarce. */
void folder_rest(struct folder *folder, const struct folder *parent, const char *name);
/* The descriptor of a folder of a file system, as long as *own is open, which the caller closes if it is not
 * -1. -ESTALE: another directory has the name now. */
int folder_descriptor(const struct folder *folder, int *own);

/* A directory in this one; the folder is written on success only. */
int folder_open(struct folder *out, const struct folder *parent, const char *name);
int folder_parent(struct folder *out, const struct folder *folder);

/* A regular file in it. -EINVAL: not a regular file; -EIO, and the reason in err: it cannot be got out
 * of the bundle. */
int folder_file(const struct folder *folder, const char *name, struct expt_error *err);
/* A whole file in memory, as io_file_open() does it. */
int folder_read(struct io_file *file, const struct folder *folder, const char *name,
		struct expt_error *err);
bool folder_has(const struct folder *folder, const char *name); /* of any type */

/* The names in it, hidden ones left out, in no order: 0, or a negative errno and nothing to
 * release. */
struct folder_names {
	struct folder_name {
		const char *name;
		bool is_directory;
	} * items;
	size_t count, capacity;
	struct arena strings;
};
int folder_list(struct folder_names *names, const struct folder *folder);
void folder_names_release(struct folder_names *names);

#endif
