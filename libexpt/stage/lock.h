/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock on a directory against other processes of the same user, which other users
 * cannot take: a file in the directory that only this user may open, locked with
 * flock(2). Any user who may read the directory could take a lock on the directory
 * itself, and keep it.
 */
#ifndef LIBEXPT_STAGE_LOCK_H
#define LIBEXPT_STAGE_LOCK_H

#include <time.h>

struct lock {
	int dir;		       /* borrowed */
	int fd;			       /* of the file; -1: not locked */
	struct timespec before, after; /* of the directory, around making the file */
};

#define LOCK_INIT                   \
	{                           \
		.dir = -1, .fd = -1 \
	}

/* Take the lock if it is free. -EWOULDBLOCK: another process of this user has it. Any
 * other failure means that locking is impossible here: the user may not write to the
 * directory, the file system has no locks, or something else has the file's name. */
int lock_take(struct lock *lock, int dir);
/* Remove the file and release the lock. If nothing else changed in the directory, restore
 * its time as far as the user may set it. */
void lock_release(struct lock *lock);

#endif
