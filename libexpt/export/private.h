/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exporting: export.c runs it and handles the operands, plan.c lists what goes into the
 * bundle from one experiment, order.c sorts that list, objects.c finds load objects that
 * its archives lack, plan_anonymize.c decides which texts may contain names, anonymize.c
 * replaces these, write.c writes all of it.
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
	EXPORT_ANONYMIZED,  /* likewise, a text that may contain names */
	EXPORT_LINKED,	    /* the target of a link into a store */
	EXPORT_OBJECT,	    /* a load object that archives/ lacks, from its place */
	EXPORT_MARK,	    /* notes that the export adds */
	EXPORT_DESCRIPTION, /* description of an EXPORT_OBJECT */
	EXPORT_ARCHIVES_MANIFEST, /* with lines for these objects */
};

/* A future member of the bundle. */
struct export_item {
	enum export_source source;
	unsigned rank;			    /* by kind, and so the first sort key */
	const char *name;		    /* below the top directory */
	const struct export_object *object; /* or NULL */
	int dir;			    /* it is read from this directory ... */
	const char *path;		    /* ... at this path in it */
	uint64_t size, allocated;
	mode_t mode; /* normalised; grants no right that the file does not */
	struct timespec mtime;
};

/* One experiment of the bundle. */
struct export_plan {
	char top[256];	  /* its name in the bundle */
	const char *path; /* as given by the user */
	char *resolved;	  /* without links */
	struct operand operand;
	int archives;	       /* where its load objects are archived, or -1 */
	struct access access;  /* has our own rights, except while a link is opened */
	struct origin readers; /* of all its members */
	char *mark;	       /* notes of a descendant exported alone, or NULL */
	struct anonymizer anonymizer; /* knows the names to be replaced */
	struct tree tree, founder_archives;
	struct export_objects *objects; /* or NULL */
	struct {
		struct export_item *items; /* in the order of the bundle */
		size_t count, capacity;
	} items;
};

/* By kind and name, regardless of the order on disk. */
unsigned export_rank(const char *name, bool is_directory);
void export_sort(struct export_item *items, size_t count);

/* readers.c */
/* Returns the mode of a member: the file's, without what means something on this machine
 * only. */
mode_t export_normal_mode(unsigned char type, mode_t mode);
/* Grant no rights on the member that its file does not grant, and the bundle to no
 * readers that the file does not have. */
void export_limit_readers(struct export_plan *plan, struct export_item *item,
			  const struct tree_entry *entry, int dir);
/* Likewise for a file outside the tree, by its origin. */
void export_limit_readers_by_origin(struct export_plan *plan, struct export_item *item,
				    const struct origin *origin);
/* Make item describe the file that a link into a store points to. Returns 0 after
 * a report if there is none, else 1. */
int export_follow_link(struct export_item *item, const struct tree_entry *entry,
		       struct export_plan *plan,
		       const struct expt_export_options *options);
/* Open the file that a link in the archives leads to. Returns a descriptor, or a negative
 * errno like origin_open(). Only files that the owner of the experiment can read are
 * opened. */
int export_open_linked(struct origin *origin, struct stat *status,
		       struct export_plan *plan, const char *target);
/* Close the descriptors that are not needed until the plan is written. */
void export_plan_rest(struct export_plan *plan);

int export_plan_read(struct export_plan *plan, const char *path,
		     const struct expt_export_options *options, struct expt_error *err);
void export_plan_release(struct export_plan *plan);

/* Learn the words from the plan's logs and maps, mark the texts to be written without
 * them, and report the names of files and objects that still contain them. */
int export_plan_anonymize(struct export_plan *plan, struct expt_report *report,
			  struct expt_error *err);

struct export_writer {
	const struct expt_export_options *options;
	struct compressor *compressor;
	struct tar_writer *tar;
	struct digest *digest;
	struct hash hash; /* of a load object, for the manifest of the archives */
	bool is_hashing;
	struct strbuf checklist; /* lines of the next manifest */
	uint64_t data, holes;	 /* bytes of files so far */
	unsigned char *buffer;
};

int export_writer_open(struct export_writer *writer, int fd,
		       const struct expt_export_options *options, struct expt_error *err);
void export_writer_release(struct export_writer *writer);
int export_write_experiment(struct export_writer *writer, struct export_plan *plan,
			    struct expt_error *err);
/* Write a small file that the export makes. */
int export_write_text(struct export_writer *writer, const char *name, const char *text,
		      size_t length, struct timespec mtime, struct expt_error *err);
int export_writer_finish(struct export_writer *writer, struct expt_error *err);

#endif
