/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that processes have mapped, opened by name later on. The name may be that of
 * another file by then, one that the process itself could not read: it may have fewer
 * rights than we.
 */
#ifndef COLLECTOR_SAMPLER_OBJECT_H
#define COLLECTOR_SAMPLER_OBJECT_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct object_file {
	pid_t pid;		/* whose memory it is in */
	uint64_t device, inode; /* as the kernel knows it */
};

/* A descriptor of the regular file that has the name, if it is the one that was mapped,
 * or one that the process may read; or a negative errno. -ESTALE: it is neither; -ENOENT:
 * there is none. After any other error *status is set all the same. */
int object_open(const struct object_file *file, const char *name, struct stat *status);

#endif
