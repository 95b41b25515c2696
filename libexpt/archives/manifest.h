/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archives/manifest describes each load object and debug file in one line. It is a text
 * file: a header line, then lines of these fields separated by one blank, "-" for an
 * empty one:
 *
 * state path real-path build-id size mtime ctime device inode checksum reason
 *
 * In paths and reasons '%', blanks and control characters are written %hh. Times are
 * seconds with nine decimals. The fields size to inode describe the file that was
 * examined, at that time; checksum is XXH3-128 of the copy. An unreadable line counts as
 * absent.
 */
#ifndef LIBEXPT_ARCHIVES_MANIFEST_H
#define LIBEXPT_ARCHIVES_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/hash.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/expt.h"

enum manifest_state {
	MANIFEST_COPIED,     /* a copy of what was recorded */
	MANIFEST_DESCRIBED,  /* a description of what was recorded */
	MANIFEST_UNVERIFIED, /* either; the recording does not identify the file */
	MANIFEST_MISSING,    /* no such file */
	MANIFEST_UNREADABLE, /* the file cannot be opened, but a later try may work */
	MANIFEST_CHANGED,    /* the file is not the recorded one */
	MANIFEST_REFUSED,    /* the name is not that of a program, library or source */
	MANIFEST_DEBUG,	     /* a copy of a separate debug file */
	MANIFEST_SOURCE,     /* a copy of a source file */
	MANIFEST_JAR,	     /* a copy of a jar or class file */
	MANIFEST_NAMES,	     /* a copy of a file with names of code made at run time */
};

struct manifest_entry {
	enum manifest_state state;
	const char *path;      /* as mapped */
	const char *real_path; /* of the file archived, or "" */
	const char *build_id;  /* hex, or "" */
	uint64_t size, mtime_ns, ctime_ns, device, inode;
	char hash[HASH_TEXT_SIZE]; /* "" without a copy */
	const char *reason; /* why not, or not all; for a debug file, its object; or "" */
};

struct manifest {
	struct arena strings;
	struct manifest_entry *items;
	size_t count, capacity;
	struct idmap index;
	size_t damaged_line; /* the first unreadable one, or 0 */
};

/* clang-format off */
#define MANIFEST_INIT	{ .items = NULL }
/* clang-format on */
#define cleanup_manifest __attribute__((__cleanup__(manifest_release)))

/* Read the manifest. It is empty if there is none, or it is not a plain file. */
int manifest_read(struct manifest *manifest, const struct folder *archives);
int manifest_parse(struct manifest *manifest, const void *bytes, size_t size);
void manifest_release(struct manifest *manifest);

/* Returns NULL if there is no line for path. Valid until the next manifest_put(). */
const struct manifest_entry *manifest_find(const struct manifest *manifest,
					   const char *path);
/* Add the entry, or replace the one with the same path; its strings are copied. Returns 0
 * or -ENOMEM. */
int manifest_put(struct manifest *manifest, const struct manifest_entry *entry);

/* Write the manifest as text, sorted by path; false if out of memory. */
bool manifest_print(struct strbuf *text, const struct manifest *manifest);
/* Returns the mode for a manifest that replaces the one in archives: no wider than the
 * old mode, and for the owner only if lines describe private files. */
mode_t manifest_mode(int archives, bool has_private);
/* Replace the file with this manifest, sorted by path. */
int manifest_write(const struct manifest *manifest, int archives, mode_t mode,
		   struct expt_error *err);
/* Merge the changes into the current file. The caller holds the lock of archives. */
int manifest_merge(const struct manifest *changes, int archives, bool has_private,
		   struct expt_error *err);

/* Returns whether there is a copy or a description. */
static inline bool manifest_is_archived(const struct manifest_entry *entry)
{
	return entry->state <= MANIFEST_UNVERIFIED;
}

void manifest_set_file(struct manifest_entry *entry, const struct stat *status);
/* Returns whether the file is the one that was examined, unchanged since. */
bool manifest_is_same_file(const struct manifest_entry *entry, const struct stat *status);

#endif
