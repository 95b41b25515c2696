/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that processes have mapped, opened by name later. The name may belong to another
 * file by then, one that the process itself could not read, since it may have fewer
 * rights than the sampler.
 */
#ifndef COLLECTOR_OUTSIDE_OBJECT_H
#define COLLECTOR_OUTSIDE_OBJECT_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct object_file {
	pid_t pid;		/* the process that has it mapped */
	uint64_t device, inode; /* by the kernel's record */
};

/* Open the regular file of that name, if it is the one that was mapped, or one that the
 * process may read. Returns a descriptor, or a negative errno. -ESTALE: it is neither;
 * -ENOENT: it does not exist. After any other error *status is still set. */
int object_open(const struct object_file *file, const char *name, struct stat *status);

#endif
