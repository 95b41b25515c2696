/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exporting: export.c is the run and what is named on the command line, plan.c lists what
 * goes into the bundle from one experiment, order.c puts that in order, objects.c finds
 * load objects that its archives lack, plan_anonymize.c says which texts may contain
 * names, anonymize.c makes these neutral, write.c writes all of it.
 */
#ifndef LIBEXPT_EXPORT_PRIVATE_H
#define LIBEXPT_EXPORT_PRIVATE_H

#include "libexpt/archives/access.h"
#include "libexpt/base/arena.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/tar.h"
#include "libexpt/common/digest.h"
#include "libexpt/export/anonymize.h"
#include "libexpt/export/objects.h"
#include "libexpt/manage/operand.h"
#include "libexpt/tree/tree.h"

enum export_source {
	EXPORT_DIRECTORY,
	EXPORT_FILE,	    /* a file of the experiment, or of its founder's archives */
	EXPORT_ANONYMIZED,  /* the same, a text that may name somebody */
	EXPORT_LINKED,	    /* the file behind a link of a common archive */
	EXPORT_OBJECT,	    /* a load object that archives/ lacks, from where it is */
	EXPORT_MARK,	    /* notes of ours */
	EXPORT_DESCRIPTION, /* of such a one */
	EXPORT_ARCHIVES_MANIFEST, /* which speaks of them */
};

/* A member to be. */
struct export_item {
	enum export_source source;
	unsigned rank;	  /* by kind, and so the first key of the order */
	const char *name; /* below the top directory */
	const struct export_object *object; /* or NULL */
	int dir;			    /* where it is read: this directory ... */
	const char *path;		    /* ... and this path in it */
	uint64_t size, allocated;
	mode_t mode; /* normalised, with no right that the file does not give */
	struct timespec mtime;
};

/* One experiment of the bundle. */
struct export_plan {
	char top[256];	  /* its name there */
	const char *path; /* as it was named */
	char *resolved;	  /* without links */
	struct operand operand;
	int archives;	       /* where its load objects are archived, or -1 */
	struct access access;  /* has our own rights, except while a link is opened */
	struct origin readers; /* of all its members */
	char *mark;	       /* for the notes of a descendant on its own, or NULL */
	struct anonymizer anonymizer; /* knows what is not to be told */
	struct tree tree, founder_archives;
	struct export_objects *objects; /* or NULL */
	struct {
		struct export_item *items; /* in the order of the bundle */
		size_t count, capacity;
	} items;
};

/* By kind and name, whatever the order on the disk. */
unsigned export_rank(const char *name, bool is_directory);
void export_sort(struct export_item *items, size_t count);

/* readers.c */
/* The mode of a member: of a file, without what is of this machine only. */
mode_t export_normal_mode(unsigned char type, mode_t mode);
/* A member has no rights that its file does not give, and the bundle no readers that the
 * file has not. */
void export_limit_readers(struct export_plan *plan, struct export_item *item,
			  const struct tree_entry *entry, int dir);
/* The same of a file that is not in the tree, by its origin. */
void export_take_readers(struct export_plan *plan, struct export_item *item,
			 const struct origin *origin);
/* 1: the file behind a link of a common archive is there, and item describes it. */
int export_follow(struct export_item *item, const struct tree_entry *entry,
		  struct export_plan *plan, const struct expt_export_options *options);
/* The file that a link in the archives leads to: a descriptor, or a negative errno as
 * origin_open(). Only what the owner of the experiment can read is opened. */
int export_open_linked(struct origin *origin, struct stat *status,
		       struct export_plan *plan, const char *target);
/* Close descriptors that are not needed until it is written. */
void export_plan_rest(struct export_plan *plan);

int export_plan_read(struct export_plan *plan, const char *path,
		     const struct expt_export_options *options, struct expt_error *err);
void export_plan_release(struct export_plan *plan);

/* Learn the words from the plan's logs and maps, have texts written without them, and
 * report what keeps them. */
int export_plan_anonymize(struct export_plan *plan, struct expt_report *report,
			  struct expt_error *err);

struct export_writer {
	const struct expt_export_options *options;
	struct compressor *compressor;
	struct tar_writer *tar;
	struct digest *digest;
	struct hash hash; /* of a load object, for the manifest of the archives */
	bool is_hashing;
	struct strbuf checklist; /* what the next manifest says */
	uint64_t data, holes;	 /* bytes of files so far */
	unsigned char *buffer;
};

int export_writer_open(struct export_writer *writer, int fd,
		       const struct expt_export_options *options, struct expt_error *err);
void export_writer_release(struct export_writer *writer);
int export_write_experiment(struct export_writer *writer, struct export_plan *plan,
			    struct expt_error *err);
/* A small file made by us. */
int export_write_text(struct export_writer *writer, const char *name, const char *text,
		      size_t length, struct timespec mtime, struct expt_error *err);
int export_writer_finish(struct export_writer *writer, struct expt_error *err);

#endif
