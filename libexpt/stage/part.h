/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work in progress for a name: a file or directory with one of the hidden names of
 * layout/hidden.h beside it, which its maker keeps locked. That distinguishes it from the
 * remains of dead makers.
 */
#ifndef LIBEXPT_STAGE_PART_H
#define LIBEXPT_STAGE_PART_H

#include <stdbool.h>
#include <sys/types.h>

#include "libexpt/layout/hidden.h"

/* Make an empty file in dir, or with S_IFDIR in mode a directory, lock it like
 * part_lock(), and write its name to name. Returns a descriptor, for reading and writing
 * if it is a file, or a negative errno. has_locks may be NULL. */
int part_make(char name[STAGE_NAME_SIZE], int dir, const char *final, mode_t mode,
	      bool *has_locks);
/* Lock what fd is open on: 0; 1 where files cannot be locked. -EEXIST: another process
 * has locked it, or it has been removed. */
int part_lock(int fd);

#endif
