/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archiving, in these files:
 *
 *	archive.c	expt_archive(); run.c: one run, from beginning to end
 *	archiver.c	the state of a run; job.c: that of one thread
 *	mode.c		what a mode includes; pattern.c: which paths
 *	members.c	finds the founder, and the experiments in it to read
 *	open.c		opens the files that the experiment names
 *	list.c		lists the load objects of the maps; used.c: which were used
 *	source.c	finds and judges the file of a load object
 *	write.c		copies and describes it
 *	debug_files.c	copies its debug files
 *	object.c	archives one load object; all.c: all, several at a time
 *	jit.c		archives names of code that programs made at run time
 *	jars.c		archives the files from which Java machines loaded classes
 *	source_names.c	lists the source files that the objects name
 *	class_sources.c	lists those that Java classes name
 *	sources.c	archives them
 *	renew.c		makes everything again
 *	check.c		only checks; check_bundle.c: in a bundle
 *	notes.c		saves warnings in the log of the experiment
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
#include "libexpt/objects/identity.h"
#include "libexpt/rights/origin.h"

/* The share of one kind of file that a mode includes: all, or those with recorded
 * addresses. */
enum archive_extent { ARCHIVE_NONE, ARCHIVE_USED, ARCHIVE_ALL };

struct archive_parts {
	enum archive_extent descriptions, copies, sources;
};

/* A load object as some experiment recorded it. Objects that differ in path or identity
 * are distinct. */
struct archive_object {
	const char *path;    /* as mapped */
	const char *version; /* see archive_kept_path() */
	struct expt_identity identity;
	const char *problem; /* why the name rules out a load object, or NULL */
	size_t member;	     /* the first that mapped it */
	bool is_repeat;	     /* the path was recorded before, with another identity */
	struct {
		uint64_t *items; /* places of recorded addresses, ascending */
		size_t count, capacity;
	} used;		  /* filled only if archive_needs_used() */
	bool is_excluded; /* no pattern matches it, see archive_patterns */
	bool is_settled;  /* nothing is left to do */
};

/* Returns the path that names the object's files in archives/, and its line in the
 * manifest: its own, unless another object of that path came first. */
static inline const char *archive_kept_path(const struct archive_object *object)
{
	return object->version ? object->version : object->path;
}

/* An experiment whose map is read: the founder, with the name "", or a descendant. */
struct archive_member {
	const char *name;
	bool is_start_read;
	int64_t started_at; /* seconds since the epoch, or 0 if unknown */
};

/* The trust in an object that names files of this machine. */
enum archive_trust {
	ARCHIVE_TRUSTED,     /* the object comes from root or the calling user */
	ARCHIVE_OWNERS_ONLY, /* another user may name files that he can read */
	ARCHIVE_UNTRUSTED,   /* a copy: its origin is unknown */
};

/* A source file that load objects name, or Java classes. */
struct archive_code {
	const char *path;
	size_t object; /* the first that names it; ARCHIVE_CLASSES: a class does */
	size_t member; /* that has the object or the class */
	enum archive_trust trust;
	uid_t owner; /* the other user, if ARCHIVE_OWNERS_ONLY */
	bool has_md5;
	unsigned char md5[MD5_SIZE]; /* as stored in the line table */
	bool is_absent;		     /* it was looked for and not found */
};

#define ARCHIVE_CLASSES SIZE_MAX

struct archive_codes {
	struct arena strings;
	struct idmap index;
	struct archive_code *items; /* in the order of the objects */
	size_t count, capacity;
};

/* Only files whose path matches one of these; all if empty. */
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

/* The files that the founder and its descendants name, and the manifest of archives/. */
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
	struct idmap methods; /* of Java stacks; see archive_method_key() */
	struct manifest manifest;
	struct manifest former; /* of the archives/ that is being replaced */
};

/* The destination of files, the rights to write there, and the results so far. */
struct archive_target {
	int archives;
	int previous; /* the archives/ that is being replaced, or -1 */
	int copy;     /* a copy of the founder that gets the archives instead, or -1 */
	struct store store;
	struct access access;
	struct manifest changes;
	bool is_incomplete;
	bool has_private; /* some file that was taken is not readable for everyone */
	/* If not NULL, called for every file that would be copied, with the path that it
	 * is known by. Returns 0 or -ENOMEM. */
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
/* Returns the key of a method of this experiment in archive_facts.methods. */
uint64_t archive_method_key(const struct expt *expt, uint64_t method);
/* Returns the directory that contains archives/. */
int archive_home(const struct archiver *archiver);
/* Returns false if another archiver has put a new archives/ in place and this one is
 * gone. */
bool archive_is_current(const struct archiver *archiver, int archives);
void archive_member_path(char path[PATH_MAX], const struct archiver *archiver,
			 size_t member);
/* Add a path to a set of paths. If memory runs out, the path is not added, which is
 * harmless. */
void archive_mark(struct idmap *paths, const char *path);

#endif
