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
	EXPT_ARCHIVE_USEDCOPY,		/* and copies of those in which a recorded address lies */
	EXPT_ARCHIVE_SRC,		/* as COPY, and all their source files */
	EXPT_ARCHIVE_USEDSRC,		/* as COPY, and the source files of recorded addresses */
};
/* The word of a command line, in any accepted spelling; -EINVAL for others. */
int expt_archive_mode(enum expt_archive_mode *mode, const char *word, struct expt_error *err);
const char *expt_archive_mode_name(enum expt_archive_mode mode);	/* "copy" */
/* Make the mode ask for those source files that word says: all, used, or with off none. */
int expt_archive_sources(enum expt_archive_mode *mode, const char *word, struct expt_error *err);

/* -EINVAL: not an extended regular expression. */
int expt_archive_pattern(const char *pattern, struct expt_error *err);

/* Where files are now that are not where they were recorded. They must be what was recorded all the
 * same, as far as that is known. */
struct expt_search {
	const char *const *maps;	/* NULL, or up to NULL: the beginning of a path, and what it is
					 * now, in turn */
	const char *const *directories;	/* NULL, or up to NULL: they have files under their base names */
};

struct expt_archive_options {
	struct expt_operation operation; /* threads is ignored; progress counts files, no bytes */
	enum expt_archive_mode mode;
	const char *const *patterns;	/* NULL, or up to NULL extended regular expressions: only files
					 * whose path one of them matches */
	struct expt_search search;
	bool is_founder_only;		/* the named experiment, not its descendants */
	bool renew;			/* make everything again; of whole experiments only */
	bool check_only;		/* change nothing, report the state */
	bool log_notes;			/* add the report's warnings to the experiment's archive log */
	/* A directory, made if need be, that experiments share: copies go there, once for each
	 * content, and archives/ gets links to them; NULL for none. */
	const char *store;
	bool has_relative_links;	/* from archives/ to the store; else absolute ones */
};
/* Fill archives/ of the experiment's founder. EXPT_ARCHIVE_INCOMPLETE: something is missing, changed
 * or refused, all in the report. Of the experiment only map.xml need be readable. */
enum expt_archive_result { EXPT_ARCHIVE_COMPLETE = 0, EXPT_ARCHIVE_INCOMPLETE = 1 };
int expt_archive(const char *path, const struct expt_archive_options *options,
		 struct expt_error *err);
/* Nothing is archived, and the log does not say that this was the wish. */
bool expt_lacks_archives(const struct expt *expt);
/* The name under which the file at path is archived: base name, '_', code of its directory.
 * Returns the length; out is 256 bytes. */
size_t expt_archive_name(char *out, const char *path);

EXPT_DECLARATIONS_END

#endif
