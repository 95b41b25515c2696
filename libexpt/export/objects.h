/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects, their debug files, jars and sources, that the archives of an experiment
 * lack and that go into the bundle all the same, found and judged as er_archive does it,
 * copied from where they are. The experiment is only read.
 */
#ifndef LIBEXPT_EXPORT_OBJECTS_H
#define LIBEXPT_EXPORT_OBJECTS_H

#include "libexpt/archiver/archiver.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"

/* One that is to be taken. */
struct export_object {
	const struct archive_object *object;
	const char *real_path;
	struct stat status; /* of the file that was judged */
	struct origin origin;
	char copy_name[512],
		description_name[512]; /* below the experiment; "" for none */
};

struct export_objects {
	struct archiver archiver; /* first, so that it stands for all of them */
	struct expt_archive_options options;
	struct {
		struct export_object *items;
		size_t count, capacity;
	} taken;
};

/* What is missing is in report. archives: a descriptor, or -1; it stays the caller's. */
int export_objects_open(struct export_objects **out, const char *path, int archives,
			const struct expt_export_options *options,
			struct expt_error *err);
void export_objects_close(struct export_objects *objects);

/* The file again, if it is still the one that was judged: a descriptor, or a negative
 * errno, -ESTALE if it is not. */
int export_object_reopen(const struct export_objects *objects,
			 const struct export_object *taken);
/* A descriptor of its description, of the given size; -EBADMSG: it cannot be described. */
int export_object_describe(uint64_t *size, const struct export_objects *objects,
			   const struct export_object *taken, struct expt_error *err);
/* Every object that is taken has a line in the manifest of the archives, as one
 * described. It was copied as well, with this sum; or, NULL, it could not be taken after
 * all. */
int export_objects_record(struct export_objects *objects,
			  const struct export_object *taken, const char *hash,
			  struct expt_error *err);
/* The manifest as it is with all of them. */
int export_objects_manifest(struct strbuf *text, struct export_objects *objects,
			    struct expt_error *err);

#endif
