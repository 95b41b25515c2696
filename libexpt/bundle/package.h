/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bundle, or somebody's own tarball, that experiments are read from in place. Its
 * members pass the rules of an import first (members.c); the data of one is decompressed
 * when it is opened, checked against the manifest, and handed out as an unlinked file.
 * Several threads may read it.
 *
 * With the index of a bundle (bundle_index.h) only what is asked for is decompressed.
 * Without one the members are found by reading everything once, and what can only be read
 * from its beginning, gzip for one, is decompressed into an unlinked file in TMPDIR then.
 */
#ifndef LIBEXPT_BUNDLE_PACKAGE_H
#define LIBEXPT_BUNDLE_PACKAGE_H

#include "libexpt/bundle/members.h"
#include "libexpt/expt.h"

/* What is open, and what can be asked of it. Who only gets one calls it by these, so that
 * programs which open none link nothing that reads bundles. */
struct package {
	const struct package_operations {
		struct package *(*share)(struct package *package);
		void (*close)(struct package *package);
		int (*file)(struct package *package, size_t member,
			    struct expt_error *err);
	} * operations;
	char *path; /* of the file */
	struct members members;
};

/* path: of the file, or of an experiment in it, "runs.tar.zst/test.1.er"; *inside is then
 * the rest of path, else "". Of the options, which may be NULL, the limits count, and who
 * watches. -ENOTDIR, -ENOENT: there is no such file. -EBADMSG: it is no bundle; -EPERM:
 * it holds what is refused, or too much. */
int package_open(struct package **out, const char *path, const char **inside,
		 const struct expt_import_options *options, struct expt_error *err);

static inline struct package *package_share(struct package *package)
{
	return package->operations->share(package);
}

/* The last one that shares it closes it. */
static inline void package_close(struct package *package)
{
	if (package)
		package->operations->close(package);
}

/* The file as a descriptor that is read from its beginning. */
static inline int package_file(struct package *package, size_t member,
			       struct expt_error *err)
{
	return package->operations->file(package, member, err);
}

static inline const char *package_path(const struct package *package)
{
	return package->path;
}

static inline const struct members *package_members(const struct package *package)
{
	return &package->members;
}

/* The same to an open file, written from its beginning. stop: NULL, or: when it is not 0,
 * end with -EINTR. */
int package_copy(struct package *package, size_t member, int fd, const volatile int *stop,
		 struct expt_error *err);
/* The experiments in it: members that are directories at its top, in its order. */
size_t package_count(const struct package *package);
size_t package_experiment(const struct package *package, size_t i);

#endif
