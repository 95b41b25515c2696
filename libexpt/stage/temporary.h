/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears under its final name whole or not at all. */
#ifndef LIBEXPT_STAGE_TEMPORARY_H
#define LIBEXPT_STAGE_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "libexpt/stage/part.h"

struct temporary {
	int dir; /* owned by the caller */
	int fd;
	char name[STAGE_NAME_SIZE]; /* or "" */
};

/* clang-format off */
#define TEMPORARY_INIT	{ .dir = -1, .fd = -1 }
/* clang-format on */
#define cleanup_temporary __attribute__((__cleanup__(temporary_release)))

/* Create an empty file in dir. Returns 0 or a negative errno. */
int temporary_open(struct temporary *file, int dir, const char *final, mode_t mode);
/* Give the file its final name, replacing any file of that name. After a failure it must
 * still be released. */
int temporary_commit(struct temporary *file, const char *final);
/* Close the file, and remove it if it was not committed. */
void temporary_release(struct temporary *file);

/* Remove the files that dead makers of this name left in dir. are_ours: all such names in
 * dir are ours, so remove links, too, and files where they cannot be locked. */
void temporary_clean(int dir, const char *final, bool are_ours);

#endif
