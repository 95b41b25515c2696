/* SPDX-License-Identifier: Apache-2.0 */
/* The other steps of an archiver. */
#ifndef LIBEXPT_ARCHIVER_PRIVATE_H
#define LIBEXPT_ARCHIVER_PRIVATE_H

#include "libexpt/archiver/archive.h"
#include "libexpt/archiver/gather.h"

/* job.c */
/* For a thread of its own a copy of the archiver, with other options, strings and
 * changes, that will look at object. The file descriptors and lists are the archiver's.
 */
void archive_job_begin(struct archiver *own, struct expt_archive_options *options,
		       struct archiver *archiver, const struct archive_object *object);
void archive_job_end(struct archiver *own);

/* run.c */
/* One run: 0, 1: not all could be archived, -ESTALE: to be tried again, or another
 * negative errno. copy: as in struct archiver. */
int archive_once(const char *path, int copy, const struct expt_archive_options *options,
		 struct expt_error *err);

/* open.c */
/* As archive_open_path(), or where .er.rc says that it is now; source->real_path is where
 * it was found. */
int archive_open_found(struct archiver *archiver, struct archive_source *source,
		       const char *path, enum origin_links links);
/* Judge one that is open already. */
void archive_judge(const struct archiver *archiver, struct archive_source *source);
/* The state in the manifest, and the reason, of one that cannot be opened. */
enum manifest_state archive_why_unopened(const struct archiver *archiver, int rc,
					 const char **reason);
/* As store_open_file(), with the rights of the user to whom the archives belong. */
int archive_open_stored(struct stat *status, const struct archiver *archiver,
			int archives, const char *name);
/* The experiment of a member, by its directory, whatever path leads there now. */
int archive_open_member(struct expt **out, const struct archiver *archiver, size_t member,
			struct expt_error *err);

/* all.c */
/* Store or check all objects. Only what makes going on useless is an error. */
int archive_all(struct archiver *archiver, struct expt_error *err);

/* pattern.c */
int archive_patterns_open(struct archive_patterns *patterns, const char *const *texts,
			  struct expt_error *err);
bool archive_patterns_match(const struct archive_patterns *patterns, const char *path);
void archive_patterns_release(struct archive_patterns *patterns);

/* search.c: the places where a file may be that is not at its path, one after the other.
 */
struct archive_search {
	const struct expt_search *search;
	const char *path;
	size_t map, directory; /* the next ones to look at */
};
bool archive_search_next(struct archive_search *state, char out[PATH_MAX]);

/* notes.c */
/* Add the warnings among the report's lines from first on to the log of the experiment. */
int archive_log_notes(const struct archiver *archiver, size_t first,
		      struct expt_error *err);

/* members.c */
/* An exec that failed leaves an empty directory, which names no objects. */
bool archive_member_is_empty(int dir);
/* When the member started, from its log, in seconds since the epoch, or 0. */
int64_t archive_started_at(struct archiver *archiver, size_t member);

/* list.c */
/* The object that was recorded with the path and identity of object, or NULL. */
struct archive_object *archive_find_object(const struct archiver *archiver,
					   const struct archive_object *object);

/* object.c */
/* Whether what the manifest says is enough; then it has been said. */
bool archive_is_settled(struct archiver *archiver, const struct archive_object *object);
/* Do what is to be done for one that is not settled. */
int archive_store(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err);
/* Say what archive_store() would do. Returns 0. */
int archive_plan(struct archiver *archiver, const struct archive_object *object);

/* write.c */
/* The outcome to report for a file that is copied: only files that everyone may read go
 * into a store. */
enum expt_outcome archive_copied(const struct archiver *archiver,
				 const struct archive_source *source);
/* 1: written, 0: not, which has been said, or negative: writing failed. */
int archive_write_copy(struct archiver *archiver, const struct archive_source *source,
		       const struct archive_object *object, char hash[HASH_TEXT_SIZE],
		       struct expt_error *err);
int archive_write_description(struct archiver *archiver,
			      const struct archive_source *source,
			      const struct archive_object *object,
			      struct expt_error *err);
/* The checksum of all of a file. */
int archive_hash(char hash[HASH_TEXT_SIZE], const struct archiver *archiver, int fd);

/* debug_files.c */
/* Mark the objects of which a recorded debug file is archived no more. */
void archive_lost_debug_files(struct idmap *objects, const struct archiver *archiver);
/* Say that the others are there, but for objects that are still to be looked at. */
void archive_present_debug_files(struct archiver *archiver,
				 const struct idmap *unsettled);
/* Look at those that are recorded, for objects that are known by now. */
void archive_check_debug_files(struct archiver *archiver);
/* Whether the copy that a line of the manifest tells of is there and unharmed: that is
 * said. */
void archive_check_line(struct archiver *archiver, const struct manifest_entry *entry);

/* jars.c */
bool archive_is_jar_name(const char *path);
/* One that a map names; its strings are copied. 0 or -ENOMEM. */
int archive_add_jar(struct archiver *archiver, struct archive_object jar);

/* sources.c */
/* Store or check all of them. */
int archive_sources(struct archiver *archiver, struct expt_error *err);
/* Its copy is as the manifest says. */
bool archive_has_code(const struct archiver *archiver, const struct archive_code *code);

/* check_bundle.c */
int archive_check_bundle(const char *path, const struct expt_archive_options *options,
			 struct expt_error *err);

/* check.c */
/* What is to be said of a file in archives/. */
struct archive_finding {
	enum expt_outcome outcome;
	const char *reason; /* NULL: it is complete, and nothing is to be said */
	char text[PATH_MAX + 64];
};
/* Whether the bytes of a copy are the right ones: by the checksum that is its name in a
 * store, or "", and by what the manifest says, if it says something. */
void archive_check_bytes(struct archive_finding *finding, const struct archiver *archiver,
			 int fd, const char *stored, const struct manifest_entry *entry);
int archive_check(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err);

/* renew.c */
int archive_renew(struct archiver *archiver, struct expt_error *err);
/* Remove what archivers that were killed left in the founder. */
void archive_clean(const struct archiver *archiver);

#endif
