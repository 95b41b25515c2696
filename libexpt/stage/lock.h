/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock on a directory that keeps out other processes of the same user, and that other
 * users cannot take: a file in the directory that only this user may open, locked with
 * flock(2). A lock on the directory itself could be taken, and kept, by everybody who may
 * read it.
 */
#ifndef LIBEXPT_STAGE_LOCK_H
#define LIBEXPT_STAGE_LOCK_H

#include <time.h>

struct lock {
	int dir;		       /* borrowed */
	int fd;			       /* of the file; -1: not locked */
	struct timespec before, after; /* times of the directory when the file was made */
};

#define LOCK_INIT                   \
	{                           \
		.dir = -1, .fd = -1 \
	}

/* Take the lock if it is free. -EWOULDBLOCK: another process of this user has it. Any
 * other failure means that there can be no lock here: the user may not write to the
 * directory, the file system has no locks, or something else has the file's name. */
int lock_take(struct lock *lock, int dir);
/* Remove the file and give the lock up. If nothing else has changed in the directory, it
 * gets its time back as far as the user may set that. */
void lock_release(struct lock *lock);

#endif
