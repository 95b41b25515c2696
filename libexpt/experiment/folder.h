/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory from which an experiment is read, in a file system or in a bundle. Opening
 * a file in it returns a descriptor in both cases, so readers need no distinction. No
 * link is followed, and nothing outside is reached.
 *
 * A program may open more experiments than it has descriptors. Where these are scarce, a
 * folder that knows its name closes its descriptor, and is reopened while something in it
 * is looked up.
 */
#ifndef LIBEXPT_EXPERIMENT_FOLDER_H
#define LIBEXPT_EXPERIMENT_FOLDER_H

#include "libexpt/base/io.h"
#include "libexpt/bundle/package.h"

struct folder {
	int dir;		    /* of a file system, else -1 */
	struct folder_place *place; /* unless NULL, how to reopen dir, which is closed */
	struct package *package;    /* or of this bundle ... */
	size_t member;		    /* ... this directory */
};

/* clang-format off */
#define FOLDER_NONE { .dir = -1 }
/* clang-format on */
#define cleanup_folder __attribute__((__cleanup__(folder_close)))

bool folder_is_open(const struct folder *folder);
void folder_close(struct folder *folder); /* resets it to FOLDER_NONE */

/* Close the descriptor if descriptors are scarce. The folder is reopened by its name in
 * parent, which must outlive it, or, without a parent, by this path. */
void folder_rest(struct folder *folder, const struct folder *parent, const char *name);
/* Returns a descriptor of a folder in a file system. If *own is not -1, it was opened for
 * this call, and the caller closes *own. -ESTALE: another directory has the name now. */
int folder_descriptor(const struct folder *folder, int *own);

/* Open a directory in parent; out is set on success only. */
int folder_open(struct folder *out, const struct folder *parent, const char *name);
int folder_parent(struct folder *out, const struct folder *folder);

/* Open a regular file in the folder. -EINVAL: not a regular file; -EIO, with the reason
 * in err: extracting it from the bundle failed. */
int folder_file(const struct folder *folder, const char *name, struct expt_error *err);
/* Read a whole file into memory, like io_file_open(). */
int folder_read(struct io_file *file, const struct folder *folder, const char *name,
		struct expt_error *err);
bool folder_contains(const struct folder *folder, const char *name); /* of any type */
/* Check whether it contains something of this name that is not empty. */
bool folder_has_content(const struct folder *folder, const char *name);

/* List the names in the folder, except hidden ones, in no particular order: 0, or a
 * negative errno and nothing to release. */
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
