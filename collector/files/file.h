/* SPDX-License-Identifier: Apache-2.0 */
/* A file of this experiment, which is opened by its name for each piece of work (see
 * access.h). */
#ifndef COLLECTOR_FILE_H
#define COLLECTOR_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct file {
	const char *name; /* in the experiment's directory */
	_Atomic bool is_there;
	_Atomic int
		held; /* a descriptor, where the name may not lead to the file; else -1 */
	dev_t device; /* what is found under the name must still be this file */
	ino_t inode;
};

#define FILE_NONE          \
	{                  \
		.held = -1 \
	}

/* The file is the one with that descriptor, which stays the caller's. */
void file_note(struct file *file, const char *name, int fd);
/* Keep a descriptor of it, if the program has one left. */
void file_hold(struct file *file);
/* The file is of no use to us any more; in a child of fork, too. */
void file_forget(struct file *file);

/* Runs work with a descriptor of the file and the result of fstat, and returns the result
 * of work. -EBADF: the file is not there any more. */
typedef long file_work(int fd, const struct stat *status, void *argument);
long file_run(const struct file *file, file_work *work, void *argument);

#endif
