/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that processes have mapped, opened by name later. The name may belong to another
 * file by then, one that the process itself could not read, since it may have fewer
 * rights than the sampler.
 */
#ifndef COLLECTOR_OUTSIDE_OBJECT_H
#define COLLECTOR_OUTSIDE_OBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct object_file {
	pid_t pid;		/* the process that has it mapped */
	uint64_t device, inode; /* by the kernel's record */
	uint64_t address, size; /* of the mapping */
};

/* Open the file that is mapped, or the regular file of that name in the process's mount
 * namespace, if it is the one that was mapped, or one that the process may read. Returns
 * a descriptor, or a negative errno. -ESTALE: it is neither; -ENOENT: it does not exist.
 * After any other error *status is still set. *is_named: the name is that of the file
 * here, too; if not, nothing may refer to it. */
int object_open(const struct object_file *file, const char *name, struct stat *status,
		bool *is_named);

#endif
