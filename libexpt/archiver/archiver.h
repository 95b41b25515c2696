/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archiving, in these files:
 *
 *	archive.c	expt_archive(); run.c: one run, begin to end
 *	archiver.c	the state of a run; job.c: that of one thread
 *	mode.c		what a mode asks for; pattern.c: which paths do
 *	members.c	the founder, and what is to be read in it
 *	open.c		opens the files that the experiment names; search.c: where else they may be
 *	list.c		which load objects the maps name; used.c: which of them were used
 *	source.c	finds and judges the file of a load object
 *	write.c		copies and describes it
 *	debug_files.c	takes its debug files along
 *	object.c	does all that with one of them; all.c: with all, several at a time
 *	jars.c		takes what Java machines loaded classes from
 *	source_names.c	finds out which source files the objects name; sources.c takes these
 *	renew.c		makes everything again
 *	check.c		only looks; check_bundle.c: in a bundle
 *	notes.c		keeps warnings in the log of the experiment
 */
#ifndef LIBEXPT_ARCHIVER_ARCHIVER_H
#define LIBEXPT_ARCHIVER_ARCHIVER_H

#include <limits.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "libexpt/archives/access.h"
#include "libexpt/archives/manifest.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/origin.h"
#include "libexpt/common/digest.h"
#include "libexpt/elf/elf.h"
#include "libexpt/expt.h"

/* How much of one kind of file a mode asks for: all, or what a recorded address lies in. */
enum archive_extent { ARCHIVE_NONE, ARCHIVE_USED, ARCHIVE_ALL };

struct archive_parts {
	enum archive_extent descriptions, copies, sources;
};

/* A load object as some experiment recorded it. Objects that differ in path or identity are
 * different ones, although those of one path share a name in archives/. */
struct archive_object {
	const char *path;     /* as mapped */
	const char *build_id; /* as recorded, hex or "" */
	bool has_identity;    /* size and mtime were recorded */
	uint64_t size, mtime_ns;
	const char *problem; /* why the name alone tells that this is none, or NULL */
	size_t member;	     /* who mapped it first */
	bool is_repeat;	     /* another identity of the path was recorded before */
	struct {
		uint64_t *items; /* where in its image recorded addresses lie, ascending */
		size_t count, capacity;
	} used;		  /* where the mode needs to know it */
	bool is_excluded; /* nobody asked for it, see archive_patterns */
	bool is_settled;  /* nothing is to be done */
};

/* An experiment whose map is read: the founder, with the name "", or a descendant. */
struct archive_member {
	const char *name;
	bool is_start_read;
	int64_t started_at; /* seconds since the epoch, or 0 if not known */
};

/* How far what an object says of the files of this machine may be believed. */
enum archive_trust {
	ARCHIVE_TRUSTED,     /* the object comes from root or from us */
	ARCHIVE_OWNERS_ONLY, /* another user may name what he can read */
	ARCHIVE_UNTRUSTED,   /* a copy: where it comes from is not known */
};

/* A source file that load objects name. */
struct archive_code {
	const char *path;
	size_t object; /* the first that names it */
	enum archive_trust trust;
	uid_t owner; /* the other user, where it is ARCHIVE_OWNERS_ONLY */
	bool has_md5;
	unsigned char md5[MD5_SIZE]; /* as it stands in the line table */
	bool is_absent;		     /* it was looked for, and is not there */
};

struct archive_codes {
	struct arena strings;
	struct idmap index;
	struct archive_code *items; /* in the order of the objects */
	size_t count, capacity;
};

/* Of what paths files are asked for; without one, of all. */
struct archive_patterns {
	regex_t *items;
	size_t count, capacity;
};

struct archive_source;

struct archiver {
	const struct expt_archive_options *options;
	struct arena strings;
	const char *path; /* of the founder */
	int founder, archives;
	int copy;     /* of the founder, which is to get the archives instead, or -1 */
	int previous; /* the archives/ that is being replaced, or -1 */
	struct store store;
	struct access access;
	bool has_foreign_maps; /* written by nobody that map_scan() knows */
	struct {
		struct archive_member *items;
		size_t count, capacity;
	} members;
	struct {
		struct archive_object *items;
		size_t count, capacity;
	} objects;
	struct idmap object_index, path_index;
	struct {
		struct archive_object *items;
		size_t count, capacity;
	} jars;
	struct idmap jar_index;
	bool has_java; /* some member runs a Java machine */
	struct archive_patterns patterns;
	struct manifest known, changes;
	unsigned char *buffer; /* ARCHIVE_BUFFER bytes */
	bool is_incomplete;
	bool has_private; /* not everyone may read all that was taken */
	/* NULL, or: gets every file that would be copied, and the path that it is known by. 0 or -ENOMEM. */
	int (*gather)(struct archiver *archiver, const struct archive_source *source,
		      const char *path);
};

#define ARCHIVE_BUFFER 65536

/* What was recorded, compared with what a file says of itself. */
enum archive_match { ARCHIVE_DIFFERS, ARCHIVE_UNKNOWN, ARCHIVE_SAME };

/* A file that may be the recorded object: the one at its path, or its copy in archives/. */
struct archive_source {
	int fd;
	struct stat status;
	struct origin origin;
	struct elf *elf;
	const char *real_path;
	enum archive_match match;
};

/* clang-format off */
#define ARCHIVE_SOURCE_INIT	{ .fd = -1, .origin = ORIGIN_UNKNOWN, .real_path = "" }
/* clang-format on */
#define cleanup_archive_source __attribute__((__cleanup__(archive_source_release)))

/* archiver.c */
void archive_say(struct archiver *archiver, enum expt_outcome outcome, const char *name,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));
void archive_release(struct archiver *archiver);
/* The directory that archives/ is in. */
int archive_home(const struct archiver *archiver);
/* False when somebody has put another archives/ in place meanwhile, and this one is gone. */
bool archive_is_current(const struct archiver *archiver, int archives);
void archive_member_path(char path[PATH_MAX], const struct archiver *archiver,
			 size_t member);
/* Put a path into a set of paths; that this fails for want of memory is harmless. */
void archive_mark(struct idmap *paths, const char *path);

/* job.c */
/* For a thread of its own a copy of the archiver, with other options, strings and changes, that will look at
 * object. The file descriptors and lists are the archiver's. */
void archive_job_begin(struct archiver *own, struct expt_archive_options *options,
		       struct archiver *archiver, const struct archive_object *object);
void archive_job_end(struct archiver *own);

/* run.c */
/* One run: 0, 1: not all could be archived, -ESTALE: to be tried again, or another negative errno. copy: as
 * in struct archiver. */
int archive_once(const char *path, int copy, const struct expt_archive_options *options,
		 struct expt_error *err);

/* archive.c */
/* For the copy in the directory copy of the experiment at from, which is only read. Else as
 * expt_archive(). */
int archive_into(int copy, const char *from, const struct expt_archive_options *options,
		 struct expt_error *err);

/* open.c */
/* Open the file at path: 0, or a negative errno as origin_open(). */
int archive_open_path(const struct archiver *archiver, struct archive_source *source,
		      const char *path, enum origin_links links);
/* The same, or where .er.rc says that it is now; source->real_path is where it was found. */
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
/* Fill archiver->known from archives/, if there is one: 0 or a negative errno. */
int archive_read_manifest(struct archiver *archiver);
/* The experiment of a member, by its directory, whatever path leads there now. */
int archive_open_member(struct expt **out, const struct archiver *archiver, size_t member,
			struct expt_error *err);

/* mode.c */
const struct archive_parts *archive_parts(enum expt_archive_mode mode);
/* Whether recorded addresses make a difference. */
bool archive_needs_used(enum expt_archive_mode mode);
/* Whether the mode asks for a copy of the object, and not only for its description. */
bool archive_wants_copy(const struct archiver *archiver,
			const struct archive_object *object);

/* all.c */
/* Store or check all objects. Only what makes going on useless is an error. */
int archive_all(struct archiver *archiver, struct expt_error *err);
/* pattern.c */
int archive_patterns_open(struct archive_patterns *patterns, const char *const *texts,
			  struct expt_error *err);
bool archive_patterns_match(const struct archive_patterns *patterns, const char *path);
void archive_patterns_release(struct archive_patterns *patterns);

/* search.c: the places where a file may be that is not at its path, one after the other. */
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
/* Find the founder of path and what is to be read in it, and take the rights of its owner. */
int archive_open(struct archiver *archiver, const char *path, struct expt_error *err);
/* An exec that failed leaves an empty directory, which names no objects. */
bool archive_member_is_empty(int dir);
/* When the member started, from its log, in seconds since the epoch, or 0. */
int64_t archive_started_at(struct archiver *archiver, size_t member);

/* list.c */
/* Read the maps of all members. */
int archive_list(struct archiver *archiver, struct expt_error *err);
/* The object that was recorded with the path and identity of object, or NULL. */
struct archive_object *archive_find_object(const struct archiver *archiver,
					   const struct archive_object *object);

/* used.c */
/* Note for each object the recorded addresses in it. */
int archive_find_used(struct archiver *archiver, struct expt_error *err);

/* source.c */
/* What this run or an earlier one has found at path, or NULL. */
const struct manifest_entry *archive_find_entry(const struct archiver *archiver,
						const char *path);
/* The copy is as the manifest says; nothing is opened to know it. */
bool archive_is_untouched(int archives, const struct manifest_entry *entry);
/* All files that the mode asks for are there; nothing is opened to know it. */
bool archive_has_files(const struct archiver *archiver, const struct archive_object *object,
		       const struct manifest_entry *entry);
/* The file at the path of the object, if it is what was recorded: 1 and *source is open, or 0, which has
 * been said. */
int archive_open_recorded(struct archiver *archiver, struct archive_source *source,
			  const struct archive_object *object);
/* The copy in the directory archives, if there is one and it is what was recorded. */
bool archive_open_copy(struct archive_source *source, const struct archiver *archiver,
		       int archives, const struct archive_object *object);
void archive_source_release(struct archive_source *source);
enum archive_match archive_compare(const struct archive_object *object,
				   const char *build_id, uint64_t size, uint64_t mtime_ns,
				   uint64_t precision_ns);
/* The outcome to report for what is not archived. */
enum expt_outcome archive_outcome(enum manifest_state state);
/* Whether an earlier run has reported the same of a file that is gone, or another one by now. */
bool archive_was_lost_before(const struct archiver *archiver,
			     const struct manifest_entry *entry);
/* Report and record that the object is not archived, and why: as an error, unless the manifest has had
 * the same verdict of a file that is lost. source: the file, if there is one, of which the manifest
 * records what everyone may know. Returns 0. */
int archive_leave_out(struct archiver *archiver, const struct archive_object *object,
		      enum manifest_state state, const struct archive_source *source,
		      const char *reason);

/* object.c */
/* Whether what the manifest says is enough; then it has been said. */
bool archive_is_settled(struct archiver *archiver, const struct archive_object *object);
/* Do what is to be done for one that is not settled. */
int archive_store(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err);
/* What archive_store() would take, without changing anything: 1 and *source is open, or 0: it is
 * archived, then *source may be its copy, or not to be had, which has been said. */
int archive_open_missing(struct archiver *archiver, const struct archive_object *object,
			 struct archive_source *source);
/* Say what archive_store() would do. Returns 0. */
int archive_plan(struct archiver *archiver, const struct archive_object *object);
/* The line of the manifest for what was taken; hash: of the copy, or "" where there is no copy or it
 * shares the blocks of an object that has a build-id. */
int archive_record(struct archiver *archiver, const struct archive_source *source,
		   const struct archive_object *object, bool is_copy, const char *hash,
		   struct expt_error *err);

/* write.c */
/* The outcome to report for a file that is copied: only files that everyone may read go into a store. */
enum expt_outcome archive_copied(const struct archiver *archiver,
				 const struct archive_source *source);
/* 1: written, 0: not, which has been said, or negative: writing failed. */
int archive_write_copy(struct archiver *archiver, const struct archive_source *source,
		       const struct archive_object *object, char hash[HASH_TEXT_SIZE],
		       struct expt_error *err);
int archive_write_description(struct archiver *archiver,
			      const struct archive_source *source,
			      const struct archive_object *object, struct expt_error *err);
/* Describe the object to the descriptor out. The description tells its readers only what they can read in
 * files. */
int archive_describe(const struct archiver *archiver, const struct archive_object *object,
		     const struct elf *elf, const struct stat *status,
		     const struct origin *origin, int out, struct expt_error *err);
/* The checksum of all of a file. */
int archive_hash(char hash[HASH_TEXT_SIZE], const struct archiver *archiver, int fd);

/* debug_files.c */
/* Copy the debug files of an object of which a copy is wanted; source is its file, or its copy. */
int archive_debug_files(struct archiver *archiver, const struct archive_source *source,
			const struct archive_object *object, struct expt_error *err);
/* Mark the objects of which a recorded debug file is archived no more. */
void archive_lost_debug_files(struct idmap *objects, const struct archiver *archiver);
/* Say that the others are there, but for objects that are still to be looked at. */
void archive_present_debug_files(struct archiver *archiver, const struct idmap *unsettled);
/* Look at those that are recorded, for objects that are known by now. */
void archive_check_debug_files(struct archiver *archiver);
/* Whether the copy that a line of the manifest tells of is there and unharmed: that is said. */
void archive_check_line(struct archiver *archiver, const struct manifest_entry *entry);

/* jars.c */
bool archive_is_jar_name(const char *path);
/* One that a map names; its strings are copied. 0 or -ENOMEM. */
int archive_add_jar(struct archiver *archiver, struct archive_object jar);
/* Store or check those, and what classes were loaded from. */
int archive_jars(struct archiver *archiver, struct expt_error *err);

/* source_names.c */
/* The source files that the mode asks for. codes is empty at first. */
int archive_list_codes(struct archive_codes *codes, struct archiver *archiver,
		       struct expt_error *err);
void archive_codes_release(struct archive_codes *codes);

/* sources.c */
/* Store or check all of them. */
int archive_sources(struct archiver *archiver, struct expt_error *err);
/* Open the file, if it is what the compiler read as far as can be told: 1 and *source is open, or 0,
 * which has been said. */
int archive_open_code(struct archiver *archiver, struct archive_code *code,
		      struct archive_source *source);
/* Its copy is as the manifest says. */
bool archive_has_code(const struct archiver *archiver, const struct archive_code *code);
/* The line of the manifest for a file that was taken, a source or a jar; hash: of the copy, or "". */
int archive_record_plain(struct archiver *archiver, enum manifest_state state,
			 const char *path, const struct archive_source *source,
			 const char *hash, struct expt_error *err);

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
/* Whether the bytes of a copy are the right ones: by the checksum that is its name in a store, or "",
 * and by what the manifest says, if it says something. */
void archive_check_bytes(struct archive_finding *finding, const struct archiver *archiver,
			 int fd, const char *stored, const struct manifest_entry *entry);
int archive_check(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err);

/* renew.c */
int archive_renew(struct archiver *archiver, struct expt_error *err);
/* Remove what archivers that were killed left in the founder. */
void archive_clean(const struct archiver *archiver);

#endif
