/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of an archiver that only its own files take. */
#ifndef LIBEXPT_ARCHIVER_PRIVATE_H
#define LIBEXPT_ARCHIVER_PRIVATE_H

#include "libexpt/archiver/archive.h"
#include "libexpt/archiver/gather.h"

/* job.c */
/* Copy the archiver for a thread that will handle object, with options, strings and
 * changes of its own. The file descriptors and lists remain the archiver's. */
void archive_job_begin(struct archiver *own, struct expt_archive_options *options,
		       struct archiver *archiver, const struct archive_object *object);
void archive_job_end(struct archiver *own);

/* run.c */
/* Archive in one run. Returns 0, 1 if not everything could be archived, -ESTALE to be
 * called again, or another negative errno. copy: as in struct archive_target. */
int archive_once(const char *path, int copy, const struct expt_archive_options *options,
		 struct expt_error *err);

/* open.c */
/* Open as archive_open_path(), or in a place that .er.rc names; source->real_path is
 * where the file was found. */
int archive_open_found(struct archiver *archiver, struct archive_source *source,
		       const char *path, enum origin_links links);
/* Determine the origin of a file that is open already. */
void archive_judge(const struct archiver *archiver, struct archive_source *source);
/* Returns the state for the manifest, and the reason, of a file that cannot be opened. */
enum manifest_state archive_why_unopened(const struct archiver *archiver, int rc,
					 const char **reason);
/* Open as store_open_file(), with the rights of the user to whom the archives belong. */
int archive_open_stored(struct stat *status, const struct archiver *archiver,
			int archives, const char *name);
/* Open the experiment of a member by its directory, whatever path leads there now. */
int archive_open_member(struct expt **out, const struct archiver *archiver, size_t member,
			struct expt_error *err);

/* all.c */
/* Store or check all objects. Returns an error only if going on is useless. */
int archive_all(struct archiver *archiver, struct expt_error *err);

/* pattern.c */
int archive_patterns_open(struct archive_patterns *patterns, const char *const *texts,
			  struct expt_error *err);
bool archive_patterns_match(const struct archive_patterns *patterns, const char *path);
void archive_patterns_release(struct archive_patterns *patterns);

/* notes.c */
/* Add the warnings among the report's lines from first on to the archive log. */
int archive_log_notes(const struct archiver *archiver, size_t first,
		      struct expt_error *err);

/* members.c */
/* Returns true for the empty directory that a failed exec leaves: it names no objects. */
bool archive_member_is_empty(int dir);
/* Returns when the member started, from its log, in seconds since the epoch, or 0. */
int64_t archive_started_at(struct archiver *archiver, size_t member);

/* list.c */
/* Returns the object that was recorded with this path and identity, or NULL. */
struct archive_object *archive_find_object(const struct archiver *archiver,
					   const char *path,
					   const struct expt_identity *identity);

/* object.c */
/* Returns true if, by the manifest, nothing is left to do, which has been reported
 * then. */
bool archive_is_settled(struct archiver *archiver, const struct archive_object *object);
/* Archive an object that is not settled. */
int archive_store(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err);
/* Report what archive_store() would do. Returns 0 or a negative errno. */
int archive_plan(struct archiver *archiver, const struct archive_object *object,
		 struct expt_error *err);

/* write.c */
/* Returns the outcome to report for a file that is copied: only files that everyone may
 * read go into a store. */
enum expt_outcome archive_copied(const struct archiver *archiver,
				 const struct archive_source *source);
/* Write a copy. Returns 1, 0 if there is none, which has been reported, or a negative
 * errno if writing failed. */
int archive_write_copy(struct archiver *archiver, const struct archive_source *source,
		       const struct archive_object *object, char hash[HASH_TEXT_SIZE],
		       struct expt_error *err);
int archive_write_description(struct archiver *archiver,
			      const struct archive_source *source,
			      const struct archive_object *object,
			      struct expt_error *err);
/* Compute the checksum of a whole file. */
int archive_hash(char hash[HASH_TEXT_SIZE], const struct archiver *archiver, int fd);

/* debug_files.c */
/* Mark the objects that have a recorded debug file whose copy is gone or modified. */
void archive_lost_debug_files(struct idmap *objects, const struct archiver *archiver);
/* Report the other debug files as present, except those of unsettled objects. */
void archive_present_debug_files(struct archiver *archiver,
				 const struct idmap *unsettled);
/* Check the recorded debug files of all listed objects. */
void archive_check_debug_files(struct archiver *archiver);
/* Report whether the copy that a line of the manifest describes is there and unharmed. */
void archive_check_line(struct archiver *archiver, const struct manifest_entry *entry);

/* jars.c */
bool archive_is_jar_name(const char *path);
/* Add a jar that a map names, copying its strings. Returns 0 or -ENOMEM. */
int archive_add_jar(struct archiver *archiver, struct archive_object jar);

/* sources.c */
/* Store or check all source files. */
int archive_sources(struct archiver *archiver, struct expt_error *err);

/* check_bundle.c */
int archive_check_bundle(const char *path, const struct expt_archive_options *options,
			 struct expt_error *err);

/* check.c */
/* The result of checking a file in archives/. */
struct archive_finding {
	enum expt_outcome outcome;
	const char *reason; /* NULL if it is complete */
	char text[PATH_MAX + 64];
};
/* Check the bytes of a copy against the checksum that is its name in a store, or "", and
 * the one in the manifest, if it has one. */
void archive_check_bytes(struct archive_finding *finding, const struct archiver *archiver,
			 int fd, const char *stored, const struct manifest_entry *entry);
int archive_check(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err);

/* renew.c */
int archive_renew(struct archiver *archiver, struct expt_error *err);
/* Remove what killed archivers left in the founder. */
void archive_clean(const struct archiver *archiver);

#endif
