/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of an archiver that exporting takes, too: what the experiment names, and the
 * files of that. */
#ifndef LIBEXPT_ARCHIVER_GATHER_H
#define LIBEXPT_ARCHIVER_GATHER_H

#include "libexpt/archiver/source.h"

/* open.c */
/* Open the file at path: 0, or a negative errno as origin_open(). */
int archive_open_path(const struct archiver *archiver, struct archive_source *source,
		      const char *path, enum origin_links links);
/* Fill archiver->known from archives/, if there is one: 0 or a negative errno. */
int archive_read_manifest(struct archiver *archiver);

/* mode.c */
const struct archive_parts *archive_parts(enum expt_archive_mode mode);
/* Whether recorded addresses make a difference. */
bool archive_needs_used(enum expt_archive_mode mode);
/* Whether the mode asks for a copy of the object, and not only for its description. */
bool archive_wants_copy(const struct archiver *archiver,
			const struct archive_object *object);

/* members.c */
/* Find the founder of path and what is to be read in it, and take the rights of its
 * owner. */
int archive_open(struct archiver *archiver, const char *path, struct expt_error *err);

/* list.c */
/* Read the maps of all members. */
int archive_list(struct archiver *archiver, struct expt_error *err);

/* used.c */
/* Note for each object the recorded addresses in it. */
int archive_find_used(struct archiver *archiver, struct expt_error *err);

/* object.c */
/* What archive_store() would take, without changing anything: 1 and *source is open, or
 * 0: it is archived, then *source may be its copy, or not to be had, which has been said.
 */
int archive_open_missing(struct archiver *archiver, const struct archive_object *object,
			 struct archive_source *source);
/* The line of the manifest for what was taken; hash: of the copy, or "" where there is no
 * copy or it shares the blocks of an object that has a build-id. */
int archive_record(struct archiver *archiver, const struct archive_source *source,
		   const struct archive_object *object, bool is_copy, const char *hash,
		   struct expt_error *err);

/* write.c */
/* Describe the object to the descriptor out. The description tells its readers only what
 * they can read in files. */
int archive_describe(const struct archiver *archiver, const struct archive_object *object,
		     const struct elf *elf, const struct stat *status,
		     const struct origin *origin, int out, struct expt_error *err);

/* debug_files.c */
/* Copy the debug files of an object of which a copy is wanted; source is its file, or its
 * copy. */
int archive_debug_files(struct archiver *archiver, const struct archive_source *source,
			const struct archive_object *object, struct expt_error *err);

/* jars.c */
/* Store or check those, and what classes were loaded from. */
int archive_jars(struct archiver *archiver, struct expt_error *err);

/* source_names.c */
/* The source files that the mode asks for. codes is empty at first. */
int archive_list_codes(struct archive_codes *codes, struct archiver *archiver,
		       struct expt_error *err);
void archive_codes_release(struct archive_codes *codes);

/* sources.c */
/* Open the file, if it is what the compiler read as far as can be told: 1 and *source is
 * open, or 0, which has been said. */
int archive_open_code(struct archiver *archiver, struct archive_code *code,
		      struct archive_source *source);
/* The line of the manifest for a file that was taken, a source or a jar; hash: of the
 * copy, or "". */
int archive_record_plain(struct archiver *archiver, enum manifest_state state,
			 const char *path, const struct archive_source *source,
			 const char *hash, struct expt_error *err);

#endif
