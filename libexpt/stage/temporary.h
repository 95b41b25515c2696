/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears under its final name whole or not at all. Until then it has a
 * temporary name in the same directory and is locked by its maker, which distinguishes
 * work in progress from remains of dead makers.
 */
#ifndef LIBEXPT_STAGE_TEMPORARY_H
#define LIBEXPT_STAGE_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "libexpt/layout/hidden.h"

struct temporary {
	int dir; /* owned by the caller */
	int fd;
	char name[STAGE_NAME_SIZE];
};

/* clang-format off */
#define TEMPORARY_INIT	{ .dir = -1, .fd = -1 }
/* clang-format on */
#define cleanup_temporary __attribute__((__cleanup__(temporary_release)))

/* Create an empty file in dir, mode 0600. Returns 0 or a negative errno. */
int temporary_open(struct temporary *file, int dir);
/* Give the file its final name, replacing any file of that name. After a failure it must
 * still be released. */
int temporary_commit(struct temporary *file, const char *final);
/* Close the file, and remove it if it was not committed. */
void temporary_release(struct temporary *file);

/* Choose a name of work in progress in archives/, ".archives.XXXXXX.part"; for
 * directories as well. */
void temporary_name(char name[STAGE_NAME_SIZE]);
bool temporary_is_name(const char *name);
/* Lock a file of such a name; false if another process holds it, or it is gone. */
bool temporary_lock(int fd);
/* Remove the file of this name if its maker is gone. */
void temporary_clean(int dir, const char *name);

#endif
