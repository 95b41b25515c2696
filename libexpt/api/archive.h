/* SPDX-License-Identifier: Apache-2.0 */
/* Filling archives/, which makes an experiment self-contained. */
/* clang-format off */
#ifndef LIBEXPT_API_ARCHIVE_H
#define LIBEXPT_API_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/open.h"

EXPT_DECLARATIONS_BEGIN

enum expt_archive_mode {
	EXPT_ARCHIVE_OFF,
	EXPT_ARCHIVE_ON,		/* a description of every load object */
	EXPT_ARCHIVE_COPY,		/* and a copy of it */
	EXPT_ARCHIVE_USEDCOPY,		/* copies of those with recorded addresses */
	EXPT_ARCHIVE_SRC,		/* as COPY, and all their source files */
	EXPT_ARCHIVE_USEDSRC,		/* as COPY, and sources of recorded addresses */
};
/* The mode for a word of a command line, in any accepted spelling; -EINVAL for others. */
int expt_archive_mode(enum expt_archive_mode *mode, const char *word,
		      struct expt_error *err);
const char *expt_archive_mode_name(enum expt_archive_mode mode);	/* "copy" */
/* Change the mode so that it has the source files that word says: "all", "used", or
 * "off". */
int expt_archive_sources(enum expt_archive_mode *mode, const char *word,
			 struct expt_error *err);

/* Where to look for files that are not where they were when they were recorded. They must
 * be the recorded ones, as far as that is known. */
struct expt_search {
	/* NULL, or pairs, the last of which is followed by NULL: the beginning of a
	 * recorded path, and its replacement. */
	const char *const *maps;
	/* NULL, or directories, up to NULL, with files of the same base names. */
	const char *const *directories;
};

struct expt_archive_options {
	/* threads is ignored, and progress counts files only. */
	struct expt_operation operation;
	enum expt_archive_mode mode;
	/* NULL, or extended regular expressions, up to NULL: only files whose path
	 * matches one. */
	const char *const *patterns;
	struct expt_search search;
	bool is_founder_only;		/* the named experiment, not its descendants */
	bool renew;			/* make all again; whole experiments only */
	bool check_only;		/* change nothing, report the state */
	bool log_notes;			/* add the warnings to the archive log */
	/* NULL, or a directory, made if necessary, that experiments share. Copies go
	 * there, once for each content, and archives/ has links to them. */
	const char *store;
	bool has_relative_links;	/* to the store, not absolute ones */
};
/* EXPT_ARCHIVE_INCOMPLETE: something is missing, changed or refused, and the report names
 * it. */
enum expt_archive_result { EXPT_ARCHIVE_COMPLETE = 0, EXPT_ARCHIVE_INCOMPLETE = 1 };
/* Fill archives/ of the experiment's founder: a result, or a negative errno value. Only
 * map.xml of the experiment must be readable. */
int expt_archive(const char *path, const struct expt_archive_options *options,
		 struct expt_error *err);
/* Whether nothing is archived, though the log does not say that archiving was switched
 * off. */
bool expt_lacks_archives(const struct expt *expt);
/* The name under which the file at path is archived: base name, '_', code of its
 * directory. Returns the length; out is 256 bytes. */
size_t expt_archive_name(char *out, const char *path);

EXPT_DECLARATIONS_END

#endif
