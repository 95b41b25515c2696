/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bundle, or any tarball, from which experiments are read in place. Its members first
 * pass the rules of an import (members.c); a member's data is decompressed when it is
 * opened, checked against the manifest, and returned as an unlinked file. Several threads
 * may read the package.
 *
 * With the index of a bundle (index.h), only the requested members are decompressed.
 * Without one, everything is read once to find the members, and a stream that can only be
 * read from its beginning, such as gzip, is then decompressed into an unlinked file in
 * TMPDIR.
 */
#ifndef LIBEXPT_BUNDLE_PACKAGE_H
#define LIBEXPT_BUNDLE_PACKAGE_H

#include "libexpt/bundle/members.h"
#include "libexpt/expt.h"

/* An open package and its operations. Code that is only passed a package calls it by
 * these, so that programs which open none do not link the readers of bundles. */
struct package {
	const struct package_operations {
		struct package *(*share)(struct package *package);
		void (*close)(struct package *package);
		int (*file)(struct package *package, size_t member,
			    struct expt_error *err);
		void (*rest)(struct package *package);
	} * operations;
	char *path; /* of the file */
	struct members members;
};

/* Open the file at path, or an experiment in it, "runs.tar.zst/test.1.er"; *inside is
 * then the rest of path, otherwise "". Only the limits, progress and stop of the options
 * are used; options may be NULL. -ENOTDIR, -ENOENT: there is no such file. -EBADMSG: it
 * is not a bundle; -EPERM: it has a refused member, or too much data. */
int package_open(struct package **out, const char *path, const char **inside,
		 const struct expt_import_options *options, struct expt_error *err);

static inline struct package *package_share(struct package *package)
{
	return package->operations->share(package);
}

/* Drop a reference; the last one closes the package. */
static inline void package_close(struct package *package)
{
	if (package)
		package->operations->close(package);
}

/* Returns a descriptor of the member's data, to be read from its beginning. */
static inline int package_file(struct package *package, size_t member,
			       struct expt_error *err)
{
	return package->operations->file(package, member, err);
}

/* Release the memory that makes the next member faster to read. */
static inline void package_rest(struct package *package)
{
	package->operations->rest(package);
}

static inline const char *package_path(const struct package *package)
{
	return package->path;
}

static inline const struct members *package_members(const struct package *package)
{
	return &package->members;
}

/* Copy the member's data to an open file, written from its beginning. If stop is not
 * NULL, -EINTR as soon as it points to a nonzero value. */
int package_copy(struct package *package, size_t member, int fd, const volatile int *stop,
		 struct expt_error *err);
/* The experiments in the package: the directories at its top, in the order of the
 * archive. */
size_t package_count(const struct package *package);
size_t package_experiment(const struct package *package, size_t i);

#endif
