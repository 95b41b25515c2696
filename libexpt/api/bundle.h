/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles: experiments exported into one file, and what comes out of it. */
/* clang-format off */
#ifndef LIBEXPT_API_BUNDLE_H
#define LIBEXPT_API_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/archive.h"

EXPT_DECLARATIONS_BEGIN

struct expt_bundle;			/* an exported experiment, being read */

enum expt_compression {
	EXPT_COMPRESSION_ZSTD, EXPT_COMPRESSION_GZIP, EXPT_COMPRESSION_XZ, EXPT_COMPRESSION_NONE,
};
struct expt_export_options {
	struct expt_operation operation;
	enum expt_archive_mode mode;	/* objects that archives/ lacks go straight into the bundle */
	bool replace;			/* an existing output */
	bool without_archives, without_sources, without_descendants;
	/* Replace the host, the user and the working directory in logs and notes by neutral words; what
	 * cannot be understood of a log is left out, EXPT_CHANGED. What names load objects and sources
	 * keeps their paths: the map, the archives, their manifest; EXPT_NOTE if they tell. */
	bool anonymize;
	enum expt_compression compression;
	int level;			/* of it: 1 to 19 for zstd, 1 to 9 for others; 0: the default */
};
/* All experiments and groups into one bundle, at path, or written to the descriptor fd, which stays the
 * caller's, when path is NULL. At path nothing appears before the bundle is whole. 0 also where something
 * is missing or has changed, which the report says. */
int expt_export(const char *const *experiments, size_t count, const char *path, int fd,
		const struct expt_export_options *options, struct expt_error *err);

struct expt_import_options {
	/* progress counts bytes of the file; the report gets a line EXPT_COPIED per experiment that
	 * is unpacked. */
	struct expt_operation operation;
	const char *directory;		/* where to unpack; NULL: the current one */
	bool replace, rename;		/* a taken name: replace it, or take the next number */
	bool verify;			/* read back what was written; refuse what has no manifest */
	const char *const *only;	/* NULL, or the names that may come out; then NULL */
	/* Limits, of everything that reads bundles. 0: the safe defaults. max_expansion: bytes out for a
	 * byte in, unless there are fewer than max_bytes. */
	uint64_t max_entries, max_bytes, max_expansion;
	unsigned max_depth;		/* of directories */
	unsigned timeout_s;		/* of silence, of a pipe; 0: any. -ETIMEDOUT */
};
/* Unpack a bundle, or somebody's own tarball of an experiment, from path, or from fd, which stays the
 * caller's, when path is NULL. -EBADMSG: not a bundle, or damaged; -EPERM: a member was refused;
 * -EEXIST: a name is taken. */
int expt_import(const char *path, int fd, const struct expt_import_options *options,
		struct expt_error *err);

struct expt_bundle_member {
	const char *name;		/* valid until the next one, as target */
	uint64_t size;
	int64_t mtime;			/* seconds since the epoch */
	uint32_t mode;			/* permissions, set-id and sticky bits */
	char type;			/* 'f' file, 'd' directory, 'l' link; others: see tar */
	const char *target;		/* of a link */
};
/* Members in order: 1 and *member filled, 0 at the end, negative on error. -EBADMSG: not a bundle, or
 * damaged; -EPERM: too many, or too much to read. The options are as in expt_open_with(): none of the
 * members is refused. */
int expt_bundle_open(struct expt_bundle **out, const char *path,
		     const struct expt_import_options *options, struct expt_error *err);
int expt_bundle_next(struct expt_bundle *bundle, struct expt_bundle_member *member,
		     struct expt_error *err);
void expt_bundle_close(struct expt_bundle *bundle);
/* Compare the checksum of every member with the manifest. Of the options the limits count and the
 * operation, which must have a report. 1: something differs or there is no manifest, and the report
 * names it; 0: all is as the manifest says; or an error, as of expt_import(). */
int expt_bundle_differs(const char *path, const struct expt_import_options *options,
		      struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
