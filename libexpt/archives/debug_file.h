/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Separate debug files: where distributions keep the symbols of what they strip. They are
 * looked for in the archives of an experiment first, under the name that a file at the
 * same path gets there.
 */
#ifndef LIBEXPT_ARCHIVES_DEBUG_FILE_H
#define LIBEXPT_ARCHIVES_DEBUG_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/elf/elf.h"
#include "libexpt/elf/split.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/rights/origin.h"

enum debug_place { DEBUG_NOWHERE, DEBUG_BESIDE, DEBUG_ELSEWHERE };

struct debug_file {
	enum debug_place place;
	bool is_archived;
	char path[PATH_MAX];	 /* what names it, in archives/ too */
	char found_at[PATH_MAX]; /* where it was found, if it is not archived */
	int fd;
	struct stat status;
	struct origin origin; /* if files are opened through origins */
	struct elf *elf;
	char other[PATH_MAX]; /* one that was met and is of another build, or "" */
};

/* clang-format off */
#define DEBUG_FILE_INIT	{ .fd = -1, .origin = ORIGIN_UNKNOWN }
/* clang-format on */
#define cleanup_debug_file __attribute__((__cleanup__(debug_file_release)))

/* The debug file of an object recorded under path: by .gnu_debuglink in the object's
 * directory (beside); by build-id below /usr/lib/debug, or by the link in the .debug
 * directory or below /usr/lib/debug (elsewhere). Taken only if its build-id is the
 * object's or, where there is none, its checksum the link's. archives: where files are
 * archived, or NULL. origins: opens and judges the others; NULL: they are not judged. */
bool debug_file_find(struct debug_file *file, const struct elf *object, const char *path,
		     const struct folder *archives, struct origins *origins);
/* The file with what several debug files have in common, which elf, the file at path,
 * names in its .gnu_debugaltlink: where that says, or by build-id below /usr/lib/debug. */
bool debug_file_find_common(struct debug_file *file, const struct elf *elf,
			    const char *path, const struct folder *archives,
			    struct origins *origins);
/* The file of one split unit: the archived one, or that at place, which is the unit's
 * path if nobody moved it. *file is empty, or what an earlier try has left. */
bool debug_file_find_split(struct debug_file *file, const struct split_unit *unit,
			   const char *place, const struct folder *archives,
			   struct origins *origins);
/* The package of split units beside the object at path. *numbers, which is empty, gets
 * what it has; it is of the object if that is one of its units at least. */
bool debug_file_find_package(struct debug_file *file, struct split_numbers *numbers,
			     const char *path, const struct split_units *units,
			     const struct folder *archives, struct origins *origins);
void debug_file_release(struct debug_file *file);

/* As debug_file_find(), for those who read it only. */
enum debug_place debug_file_open(struct elf **out, const struct elf *object,
				 const char *path, const struct folder *archives);

#endif
