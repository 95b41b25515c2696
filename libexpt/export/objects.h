/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the load objects, debug files, jars and sources that the archives of an
 * experiment lack and that go into the bundle anyway. They are found and judged as
 * er_archive does it, and copied from where they are. The experiment is only read.
 */
#ifndef LIBEXPT_EXPORT_OBJECTS_H
#define LIBEXPT_EXPORT_OBJECTS_H

#include "libexpt/archiver/archiver.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"

/* An object that goes into the bundle. */
struct export_object {
	const struct archive_object *object;
	const char *real_path;
	struct stat status; /* of the file that was judged */
	struct origin origin;
	char copy_name[512],
		description_name[512]; /* below the experiment; "" for none */
};

struct export_objects {
	struct archiver archiver; /* first, so that its address is that of the whole */
	struct expt_archive_options options;
	struct {
		struct export_object *items;
		size_t count, capacity;
	} taken;
};

/* Missing files are added to the report. archives: a descriptor that remains the
 * caller's, or -1. */
int export_objects_open(struct export_objects **out, const char *path, int archives,
			const struct expt_export_options *options,
			struct expt_error *err);
void export_objects_close(struct export_objects *objects);

/* Open the file again. Returns a descriptor, or a negative errno: -ESTALE if it is not
 * the file that was judged. */
int export_object_reopen(const struct export_objects *objects,
			 const struct export_object *taken);
/* Returns a descriptor of its description, whose size is in *size; -EBADMSG: it cannot be
 * described. */
int export_object_describe(uint64_t *size, const struct export_objects *objects,
			   const struct export_object *taken, struct expt_error *err);
/* Complete an object's line in the manifest of the archives, which says "described". With
 * hash, the object was copied and has this sum; NULL: it could not be taken after all. */
int export_objects_record(struct export_objects *objects,
			  const struct export_object *taken, const char *hash,
			  struct expt_error *err);
/* Print the manifest with the lines of all of them. */
int export_objects_manifest(struct strbuf *text, struct export_objects *objects,
			    struct expt_error *err);

#endif
