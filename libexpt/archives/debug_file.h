/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Separate debug files, in which distributions keep the symbols of stripped files. They
 * are looked up first in the archives of an experiment, under the name that a file at the
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
	char path[PATH_MAX];	 /* the path it was looked up by, also in archives/ */
	char found_at[PATH_MAX]; /* path of the file found, unless it is archived */
	int fd;
	struct stat status;
	struct origin origin; /* if opened through origins */
	struct elf *elf;
	char other[PATH_MAX]; /* a file of another build that was found, or "" */
};

/* clang-format off */
#define DEBUG_FILE_INIT	{ .fd = -1, .origin = ORIGIN_UNKNOWN }
/* clang-format on */
#define cleanup_debug_file __attribute__((__cleanup__(debug_file_release)))

/* Find the debug file of an object recorded under path: by .gnu_debuglink in the object's
 * directory (beside); by build-id below /usr/lib/debug, or by the link in the .debug
 * directory or below /usr/lib/debug (elsewhere). It is accepted only if it has the
 * object's build-id or, without one, the link's checksum. archives: where files are
 * archived, or NULL. origins: opens the other files and finds their readers; may be
 * NULL. */
bool debug_file_find(struct debug_file *file, const struct elf *object, const char *path,
		     const struct folder *archives, struct origins *origins);
/* Find the file with the common part of several debug files, which elf, the file at path,
 * names in .gnu_debugaltlink: at that path, or by build-id below /usr/lib/debug. */
bool debug_file_find_common(struct debug_file *file, const struct elf *elf,
			    const char *path, const struct folder *archives,
			    struct origins *origins);
/* Find the file of one split unit: the archived one, or the one at place, the unit's path
 * unless it was moved. *file is empty, or as an earlier try has left it. */
bool debug_file_find_split(struct debug_file *file, const struct split_unit *unit,
			   const char *place, const struct folder *archives,
			   struct origins *origins);
/* Find the package of split units beside the object at path, and read its contents into
 * *numbers, which must be empty. It belongs to the object if it has one of its units. */
bool debug_file_find_package(struct debug_file *file, struct split_numbers *numbers,
			     const char *path, const struct split_units *units,
			     const struct folder *archives, struct origins *origins);
void debug_file_release(struct debug_file *file);

/* Open the debug file that debug_file_find() finds, or else the fetcher, which may be
 * NULL, only to read it. */
struct expt_fetcher;
enum debug_place debug_file_open(struct elf **out, const struct elf *object,
				 const char *path, const struct folder *archives,
				 const struct expt_fetcher *fetcher);

#endif
