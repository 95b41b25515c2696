/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files with code that processes have mapped. Each is mapped here once, as a process has
 * it but read-only, for the unwinder. Its file may be truncated in the meantime: reads
 * need a handler, see walk.h.
 */
#ifndef COLLECTOR_OUTSIDE_BINARY_H
#define COLLECTOR_OUTSIDE_BINARY_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/outside/object.h"
#include "collector/unwind/cfi.h"
#include "libexpt/format.h"

struct binary {
	struct binary *next; /* of the same bucket */
	uint64_t device, inode;
	char *name;
	bool is_named; /* the name is that of the file here */
	bool is_known; /* its size and time are */
	uint64_t file_size, file_time_ns;
	char build_id[BUILD_ID_MAX * 2 + 1];
	uintptr_t low, high;	       /* where it is mapped here; 0: nowhere */
	uintptr_t code_low, code_high; /* its executable segments there */
	uintptr_t entry;	       /* where it is entered, here; 0: nowhere */
	struct cfi_section rules;
	struct binary_segment { /* executable ones */
		uint64_t file_offset, size;
		uintptr_t address; /* here */
	} segments[8];
	unsigned segment_count;
};

/* Returns the file that a process has mapped under this name, read at the first call;
 * NULL: out of memory. */
struct binary *binary_get(const struct object_file *file, const char *name);
/* One that is in no table: read the open regular file that has this name and state. NULL:
 * out of memory. A file that is truncated meanwhile needs a handler here, too. */
struct binary *binary_new(const char *name);
void binary_read(struct binary *binary, int fd, const struct stat *status);
void binary_free(struct binary *binary);
/* The vdso, which is the same for all processes. */
struct binary *binary_of_vdso(void);
/* Returns where this part of the file is here; 0: it is not. */
uintptr_t binary_address(const struct binary *binary, uint64_t file_offset);
void binaries_release(void);

#endif
