/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Separate debug files: where distributions keep the symbols of what they strip. They are looked for in
 * the archives of an experiment first, under the name that a file at the same path gets there.
 */
#ifndef LIBEXPT_DEBUG_FILE_H
#define LIBEXPT_DEBUG_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/elf.h"
#include "libexpt/folder.h"

enum debug_place { DEBUG_NOWHERE, DEBUG_BESIDE, DEBUG_ELSEWHERE };

struct debug_file {
	enum debug_place place;
	bool is_archived;
	char path[PATH_MAX]; /* where it is, or was when it was archived */
	int fd;
	struct stat status;
	struct elf *elf;
	char other[PATH_MAX]; /* one that was met and is of another build, or "" */
};

/* clang-format off */
#define DEBUG_FILE_INIT	{ .fd = -1 }
/* clang-format on */
#define cleanup_debug_file __attribute__((__cleanup__(debug_file_release)))

/* The debug file of an object recorded under path: by .gnu_debuglink in the object's directory
 * (beside); by build-id below /usr/lib/debug, or by the link in the .debug directory or below
 * /usr/lib/debug (elsewhere). Taken only if its build-id is the object's or, where there is none,
 * its checksum the link's. archives: where files are archived, or NULL. */
bool debug_file_find(struct debug_file *file, const struct elf *object, const char *path,
		     const struct folder *archives);
/* The file with what several debug files have in common, which elf, the file at path, names in its
 * .gnu_debugaltlink: where that says, or by build-id below /usr/lib/debug. */
bool debug_file_find_common(struct debug_file *file, const struct elf *elf,
			    const char *path, const struct folder *archives);
void debug_file_release(struct debug_file *file);

/* As debug_file_find(), for those who read it only. */
enum debug_place debug_file_open(struct elf **out, const struct elf *object,
				 const char *path, const struct folder *archives);

#endif
