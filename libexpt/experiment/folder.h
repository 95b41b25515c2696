/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory that an experiment is read from: of a file system, or of a bundle. What is
 * opened in it is a descriptor in both cases, so that readers need not know. Nothing
 * leaves it, and no link is followed.
 *
 * A program may open more experiments than it has descriptors. Where these are scarce, a
 * folder that knows its place closes its own, and opens it again for as long as something
 * in it is looked for.
 */
#ifndef LIBEXPT_EXPERIMENT_FOLDER_H
#define LIBEXPT_EXPERIMENT_FOLDER_H

#include "libexpt/base/io.h"
#include "libexpt/bundle/package.h"

struct folder {
	int dir; /* of a file system, else -1 */
	struct folder_place
		*place;		 /* or NULL; or: where dir was, which is closed for now */
	struct package *package; /* or of this bundle ... */
	size_t member;		 /* ... this directory */
};

/* clang-format off */
#define FOLDER_NONE { .dir = -1 }
/* clang-format on */
#define cleanup_folder __attribute__((__cleanup__(folder_close)))

bool folder_is_open(const struct folder *folder);
void folder_close(struct folder *folder); /* afterwards it is as FOLDER_NONE */

/* Close the folder for now if descriptors are scarce. It is found again by its name in
 * parent, which must outlive it, or, without a parent, by this path. */
void folder_rest(struct folder *folder, const struct folder *parent, const char *name);
/* A descriptor of a folder of a file system. If *own is not -1, the folder was opened for
 * this call, and the caller closes *own. -ESTALE: another directory has the name now. */
int folder_descriptor(const struct folder *folder, int *own);

/* A directory in this one; the folder is written on success only. */
int folder_open(struct folder *out, const struct folder *parent, const char *name);
int folder_parent(struct folder *out, const struct folder *folder);

/* A regular file in it. -EINVAL: not a regular file; -EIO, and the reason in err: it
 * cannot be got out of the bundle. */
int folder_file(const struct folder *folder, const char *name, struct expt_error *err);
/* A whole file in memory, as io_file_open() does it. */
int folder_read(struct io_file *file, const struct folder *folder, const char *name,
		struct expt_error *err);
bool folder_has(const struct folder *folder, const char *name); /* of any type */

/* The names in it, hidden ones left out, in no order: 0, or a negative errno and nothing
 * to release. */
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
