/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of an archiver that exporting takes, too: listing and opening the files that
 * an experiment names. */
#ifndef LIBEXPT_ARCHIVER_GATHER_H
#define LIBEXPT_ARCHIVER_GATHER_H

#include "libexpt/archiver/source.h"

/* open.c */
/* Open the file at path. Returns 0 or a negative errno, as origin_open(). */
int archive_open_path(const struct archiver *archiver, struct archive_source *source,
		      const char *path, enum origin_links links);
/* Read the manifest of archives/, if there is one. Returns 0 or a negative errno. */
int archive_read_manifest(struct archiver *archiver);

/* mode.c */
const struct archive_parts *archive_parts(enum expt_archive_mode mode);
/* Returns true if the mode depends on recorded addresses. */
bool archive_needs_used(enum expt_archive_mode mode);
/* Returns true if the mode includes a copy of the object, and not only its
 * description. */
bool archive_wants_copy(const struct archiver *archiver,
			const struct archive_object *object);

/* members.c */
/* Find the founder of path and the members to read, and take the rights of its owner. */
int archive_open(struct archiver *archiver, const char *path, struct expt_error *err);

/* list.c */
/* Read the maps of all members. */
int archive_list(struct archiver *archiver, struct expt_error *err);

/* used.c */
/* Note the recorded addresses in each object, and the methods of Java. */
int archive_find_used(struct archiver *archiver, struct expt_error *err);

/* object.c */
/* Give the object a version if other files of its path are archived. Call it before the
 * others, and once all objects before it are archived. Returns 0 or -ENOMEM. */
int archive_choose_version(struct archiver *archiver, struct archive_object *object);
/* Open the file that archive_store() would take, without changing anything. Returns 1
 * with *source open, or 0: the object is archived, and *source may be its copy, or the
 * file is unavailable, which has been reported. */
int archive_open_missing(struct archiver *archiver, const struct archive_object *object,
			 struct archive_source *source);
/* Record a file that was taken in the manifest. hash is that of the copy, or "" if there
 * is no copy or it shares the blocks of an object that has a build-id. */
int archive_record(struct archiver *archiver, const struct archive_source *source,
		   const struct archive_object *object, bool is_copy, const char *hash,
		   struct expt_error *err);

/* write.c */
/* Write the description of the object to the descriptor out. It contains only what its
 * readers can read in the files themselves. */
int archive_describe(const struct archiver *archiver, const struct archive_object *object,
		     const struct elf *elf, const struct stat *status,
		     const struct origin *origin, int out, struct expt_error *err);

/* debug_files.c */
/* Copy the debug files of an object if a copy of it is wanted. source is its file, or its
 * copy. */
int archive_debug_files(struct archiver *archiver, const struct archive_source *source,
			const struct archive_object *object, struct expt_error *err);

/* jars.c */
/* Store or check the jars of the maps, and the files that classes were loaded from. */
int archive_jars(struct archiver *archiver, struct expt_error *err);

/* jit.c */
/* Store or check the files in which the members name code made at run time. */
int archive_jit(struct archiver *archiver, struct expt_error *err);

/* source_names.c */
/* List the source files that the mode includes. codes must be empty. */
int archive_list_codes(struct archive_codes *codes, struct archiver *archiver,
		       struct expt_error *err);
void archive_codes_release(struct archive_codes *codes);

/* class_sources.c */
/* Add the source files of the Java classes that the mode includes. Returns 0 or
 * -ENOMEM. */
int archive_list_class_codes(struct archive_codes *codes, struct archiver *archiver);
/* Find the file of a class as archive_open_found(), in the places that .er.rc names
 * only. */
int archive_open_class_code(struct archiver *archiver, struct archive_source *source,
			    const char *path);

/* sources.c */
/* Open the file, if as far as can be determined it is what the compiler read. Returns 1
 * with *source open, or 0, which has been reported. */
int archive_open_code(struct archiver *archiver, struct archive_code *code,
		      struct archive_source *source);
/* Record a source or a jar that was taken in the manifest. hash is that of the copy, or
 * "". */
int archive_record_plain(struct archiver *archiver, enum manifest_state state,
			 const char *path, const struct archive_source *source,
			 const char *hash, struct expt_error *err);

#endif
