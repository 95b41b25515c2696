/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a load object, or another file that is archived. */
#ifndef LIBEXPT_ARCHIVER_SOURCE_H
#define LIBEXPT_ARCHIVER_SOURCE_H

#include "libexpt/archiver/archiver.h"

/* A file that may be the recorded object: the one at its path, or its copy in
 * archives/. */
struct archive_source {
	int fd;
	struct stat status;
	struct origin origin;
	struct elf *elf;
	const char *real_path;
	enum identity_match match;
};

/* clang-format off */
#define ARCHIVE_SOURCE_INIT	{ .fd = -1, .origin = ORIGIN_UNKNOWN, .real_path = "" }
/* clang-format on */
#define cleanup_archive_source __attribute__((__cleanup__(archive_source_release)))

/* Returns the entry for path of this run, else of an earlier one, or NULL. */
const struct manifest_entry *archive_find_entry(const struct archiver *archiver,
						const char *path);
/* Returns true if the copy is as the manifest says, without opening it. */
bool archive_is_untouched(int archives, const struct manifest_entry *entry);
/* Returns true if the manifest has a copy of this kind, and it is untouched. */
bool archive_has_copy(const struct archiver *archiver, enum manifest_state state,
		      const char *path);
/* Returns true if all files that the mode includes are there, without opening them. */
bool archive_has_files(const struct archiver *archiver,
		       const struct archive_object *object,
		       const struct manifest_entry *entry);
/* Open the file at the path of the object, if it is what was recorded. Returns 1 with
 * *source open, or 0, which has been reported. */
int archive_open_recorded(struct archiver *archiver, struct archive_source *source,
			  const struct archive_object *object);
/* Open the copy in the directory archives, if there is one and it is what was
 * recorded. */
bool archive_open_copy(struct archive_source *source, const struct archiver *archiver,
		       int archives, const struct archive_object *object);
void archive_source_release(struct archive_source *source);
/* Returns the outcome to report for a file that is not archived. */
enum expt_outcome archive_outcome(enum manifest_state state);
/* Returns true if an earlier run has reported the same of a file that is gone or was
 * replaced. */
bool archive_was_lost_before(const struct archiver *archiver,
			     const struct manifest_entry *entry);
/* Report and record that the object is not archived, and why. It is an error, unless the
 * manifest had the same verdict on a lost file. source is the file, if there is one: the
 * manifest records only what everyone may know of it. Returns 0. */
int archive_leave_out(struct archiver *archiver, const struct archive_object *object,
		      enum manifest_state state, const struct archive_source *source,
		      const char *reason);

#endif
