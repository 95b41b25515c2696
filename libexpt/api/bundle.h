/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles: exporting experiments into one file, importing and checking it. */
/* clang-format off */
#ifndef LIBEXPT_API_BUNDLE_H
#define LIBEXPT_API_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/archive.h"

EXPT_DECLARATIONS_BEGIN

struct expt_bundle;			/* a bundle whose members are listed */

enum expt_compression {
	EXPT_COMPRESSION_ZSTD, EXPT_COMPRESSION_GZIP, EXPT_COMPRESSION_XZ,
	EXPT_COMPRESSION_NONE,
};
struct expt_export_options {
	struct expt_operation operation;
	enum expt_archive_mode mode;	/* add objects that archives/ lacks */
	bool replace;			/* an existing output */
	bool without_archives, without_sources, without_descendants;
	/* Replace the host, the user and the working directory in logs and notes by
	 * neutral words. Parts of a log that cannot be understood are left out
	 * (EXPT_CHANGED). Paths of load objects and sources are kept in the map, the
	 * archives and their manifest (EXPT_NOTE if they contain one of those names). */
	bool anonymize;
	enum expt_compression compression;
	int level;			/* zstd: 1 to 19, others: 1 to 9; 0: default */
};
/* Put all experiments and groups into one bundle, at path or, if path is NULL, written to
 * the descriptor fd, which remains the caller's. The file appears at path when it is
 * whole. 0 also if something is missing or has changed; the report names it. */
int expt_export(const char *const *experiments, size_t count, const char *path, int fd,
		const struct expt_export_options *options, struct expt_error *err);

struct expt_import_options {
	/* progress counts bytes of the file; the report gets a line EXPT_COPIED for each
	 * experiment that is unpacked. */
	struct expt_operation operation;
	const char *directory;		/* to unpack into; NULL: the current one */
	/* Unless NULL, a founder of which the experiments, which are ranks of its job,
	 * become the descendants M_r0.er, M_r1.er and so on. */
	const char *into;
	bool replace, rename;		/* a taken name, or use the next number */
	bool verify;			/* read back; refuse what has no manifest */
	/* NULL, or the only names that may be unpacked; the last is followed by NULL. */
	const char *const *only;
	/* Limits of all functions that read bundles; 0: the safe defaults. max_expansion:
	 * how many bytes each byte may expand to, unless the result is less than
	 * max_bytes. */
	uint64_t max_entries, max_bytes, max_expansion;
	unsigned max_depth;		/* of directories */
	unsigned timeout_s;		/* for a silent pipe; 0: never. -ETIMEDOUT */
};
/* Unpack a bundle, or any tarball of experiments, from path or, if path is NULL, from fd,
 * which remains the caller's. -EBADMSG: not a bundle, or damaged; -EPERM: a member was
 * refused; -EEXIST: a name is taken. */
int expt_import(const char *path, int fd, const struct expt_import_options *options,
		struct expt_error *err);

struct expt_bundle_member {
	const char *name;		/* valid until the next one, as is target */
	uint64_t size;
	int64_t mtime;			/* seconds since the epoch */
	uint32_t mode;			/* permissions, set-id and sticky bits */
	char type;			/* 'f' file, 'd' directory, 'l' link; see tar */
	const char *target;		/* of a link */
};
/* List the members in order; no member is refused. Options are as of expt_open_with().
 * next(): 1 and *member filled, 0 at the end, negative on error. -EBADMSG: not a bundle,
 * or damaged; -EPERM: too many members, or too much to read. */
int expt_bundle_open(struct expt_bundle **out, const char *path,
		     const struct expt_import_options *options, struct expt_error *err);
int expt_bundle_next(struct expt_bundle *bundle, struct expt_bundle_member *member,
		     struct expt_error *err);
void expt_bundle_close(struct expt_bundle *bundle);
/* Compare the checksum of every member with the manifest. The limits and the operation of
 * the options are used; there must be a report. 1: something differs or there is no
 * manifest, and the report names it; 0: all is as the manifest says; or an error as of
 * expt_import(). */
int expt_bundle_differs(const char *path, const struct expt_import_options *options,
			struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
