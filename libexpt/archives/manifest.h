/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archives/manifest: what is known of each load object and debug file, one line each. A
 *text file: a header line, then lines of these fields with one blank between them, "-"
 *where there is nothing:
 *
 *	state path real-path build-id size mtime ctime device inode checksum reason
 *
 * In paths and reasons '%', blanks and control characters are written %hh. Times are
 *seconds with nine decimals. size to inode are of the file that was examined, when it
 *was; checksum is XXH3-128 of the copy. A line that cannot be read counts as absent.
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
	MANIFEST_UNVERIFIED, /* either; the recording does not say what it must be */
	MANIFEST_MISSING,    /* no such file */
	MANIFEST_UNREADABLE, /* the file cannot be opened, which may be different next
				time */
	MANIFEST_CHANGED,    /* the file is not the recorded one */
	MANIFEST_REFUSED,    /* the name is not that of a program, library or source */
	MANIFEST_DEBUG,	     /* a copy of a separate debug file */
	MANIFEST_SOURCE,     /* a copy of a source file */
	MANIFEST_JAR,	     /* a copy of a jar or class file */
};

struct manifest_entry {
	enum manifest_state state;
	const char *path;      /* as mapped */
	const char *real_path; /* the file taken, or "" */
	const char *build_id;  /* hex, or "" */
	uint64_t size, mtime_ns, ctime_ns, device, inode;
	char hash[HASH_TEXT_SIZE]; /* "" where there is no copy */
	const char *reason; /* why not, or not all; of a debug file, the object it is for;
			       or "" */
};

struct manifest {
	struct arena strings;
	struct manifest_entry *items;
	size_t count, capacity;
	struct idmap index;
	size_t damaged_line; /* the first that could not be read, or 0 */
};

/* clang-format off */
#define MANIFEST_INIT	{ .items = NULL }
/* clang-format on */
#define cleanup_manifest __attribute__((__cleanup__(manifest_release)))

/* No manifest is an empty one, and so is one that cannot be opened as a plain file. Fails
 * with -ENOMEM only. */
int manifest_read(struct manifest *manifest, const struct folder *archives);
int manifest_parse(struct manifest *manifest, const void *bytes, size_t size);
void manifest_release(struct manifest *manifest);

/* NULL if there is no line for path. Valid until the next manifest_put(). */
const struct manifest_entry *manifest_find(const struct manifest *manifest,
					   const char *path);
/* Add the entry, or replace the one of the same path; its strings are copied. 0 or
 * -ENOMEM. */
int manifest_put(struct manifest *manifest, const struct manifest_entry *entry);

/* All of it as text, sorted by path; false if out of memory. */
bool manifest_print(struct strbuf *text, const struct manifest *manifest);
/* The mode for a manifest that takes the place of the one in archives: no wider than that
 * of the old one, and for the owner only if lines are about private files. */
mode_t manifest_mode(int archives, bool has_private);
/* Replace the file by this manifest, sorted by path. */
int manifest_write(const struct manifest *manifest, int archives, mode_t mode,
		   struct expt_error *err);
/* Put the changes into the file as it is now. The caller holds the lock of archives. */
int manifest_merge(const struct manifest *changes, int archives, bool has_private,
		   struct expt_error *err);

/* There is a copy or a description. */
static inline bool manifest_is_archived(const struct manifest_entry *entry)
{
	return entry->state <= MANIFEST_UNVERIFIED;
}

void manifest_set_file(struct manifest_entry *entry, const struct stat *status);
/* The file is the one that was examined, untouched since. */
bool manifest_is_same_file(const struct manifest_entry *entry, const struct stat *status);

#endif
