/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archiving, in these files:
 *
 *	archive.c	expt_archive(); run.c: one run, begin to end
 *	archiver.c	the state of a run; job.c: that of one thread
 *	mode.c		what a mode asks for; pattern.c: which paths do
 *	members.c	the founder, and what is to be read in it
 *	open.c		opens the files that the experiment names; search.c: where else
 *they may be
 *	list.c		which load objects the maps name; used.c: which of them were used
 *	source.c	finds and judges the file of a load object
 *	write.c		copies and describes it
 *	debug_files.c	takes its debug files along
 *	object.c	does all that with one of them; all.c: with all, several at a time
 *	jars.c		takes what Java machines loaded classes from
 *	source_names.c	finds out which source files the objects name; sources.c takes
 *these renew.c		makes everything again
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
#include "libexpt/common/digest.h"
#include "libexpt/elf/elf.h"
#include "libexpt/expt.h"
#include "libexpt/rights/origin.h"

/* How much of one kind of file a mode asks for: all, or what a recorded address lies in.
 */
enum archive_extent { ARCHIVE_NONE, ARCHIVE_USED, ARCHIVE_ALL };

struct archive_parts {
	enum archive_extent descriptions, copies, sources;
};

/* A load object as some experiment recorded it. Objects that differ in path or identity
 * are different ones, although those of one path share a name in archives/. */
struct archive_object {
	const char *path;     /* as mapped */
	const char *build_id; /* as recorded, hex or "" */
	bool has_identity;    /* size and mtime were recorded */
	uint64_t size, mtime_ns;
	const char *problem; /* why the name alone tells that this is none, or NULL */
	size_t member;	     /* who mapped it first */
	bool is_repeat;	     /* another identity of the path was recorded before */
	struct {
		uint64_t
			*items; /* where in its image recorded addresses lie, ascending */
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

struct archiver;
struct archive_source;

/* The request: which files of which members. */
struct archive_request {
	const struct expt_archive_options *options;
	struct archive_patterns patterns;
};

/* What the founder and its descendants name, and what its archives/ has. */
struct archive_facts {
	const char *path; /* of the founder */
	int founder;
	struct {
		struct archive_member *items;
		size_t count, capacity;
	} members;
	bool has_foreign_maps; /* some map is in a form that map_scan() does not read */
	bool has_java;	       /* some member runs a Java machine */
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
	struct manifest manifest;
};

/* Where files go, with whose rights, and what has been done. */
struct archive_target {
	int archives;
	int previous; /* the archives/ that is being replaced, or -1 */
	int copy;     /* of the founder, which is to get the archives instead, or -1 */
	struct store store;
	struct access access;
	struct manifest changes;
	bool is_incomplete;
	bool has_private; /* not everyone may read all that was taken */
	/* NULL, or: gets every file that would be copied, and the path that it is known
	 * by. 0 or -ENOMEM. */
	int (*gather)(struct archiver *archiver, const struct archive_source *source,
		      const char *path);
};

struct archiver {
	struct archive_request asked;
	struct archive_facts known;
	struct archive_target to;
	struct arena strings;
	unsigned char *buffer; /* ARCHIVE_BUFFER bytes */
};

#define ARCHIVE_BUFFER 65536

void archive_say(struct archiver *archiver, enum expt_outcome outcome, const char *name,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));
void archive_release(struct archiver *archiver);
/* The directory that archives/ is in. */
int archive_home(const struct archiver *archiver);
/* False when somebody has put another archives/ in place meanwhile, and this one is gone.
 */
bool archive_is_current(const struct archiver *archiver, int archives);
void archive_member_path(char path[PATH_MAX], const struct archiver *archiver,
			 size_t member);
/* Put a path into a set of paths; that this fails for want of memory is harmless. */
void archive_mark(struct idmap *paths, const char *path);

#endif
