/* SPDX-License-Identifier: Apache-2.0 */
/* A file of this experiment, opened by name for each piece of work (see access.h). */
#ifndef COLLECTOR_FILES_FILE_H
#define COLLECTOR_FILES_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct file {
	const char *name; /* in the experiment's directory */
	_Atomic bool is_there;
	_Atomic int held; /* a descriptor if the name may not lead to the file; else -1 */
	dev_t device;	  /* of the file that must be found under the name */
	ino_t inode;
};

#define FILE_NONE          \
	{                  \
		.held = -1 \
	}

/* Describe the file that is open as fd, which stays the caller's. */
void file_note(struct file *file, const char *name, int fd);
/* Keep a descriptor of the file, if the program has one left. */
void file_hold(struct file *file);
/* Drop the file, for good or in a child of fork. */
void file_forget(struct file *file);

/* Runs work with a descriptor of the file and the result of fstat, and returns the result
 * of work. Returns -EBADF if the file no longer exists. */
typedef long file_work(int fd, const struct stat *status, void *argument);
long file_run(const struct file *file, file_work *work, void *argument);

#endif
