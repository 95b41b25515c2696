/* SPDX-License-Identifier: Apache-2.0 */
/* The files of descriptors. */
#ifndef ER_PRINT_IO_FILES_H
#define ER_PRINT_IO_FILES_H

#include "er_print/io.h"

/* What a descriptor stood for, from an open to a close. */
struct io_file {
	const char *name;
	size_t member;
	int64_t number; /* 1 to 4: standard streams, and what belongs to no file */
	int64_t fd;	/* less than 0: none */
	int64_t file_system;
	bool is_used; /* there are events */
	int64_t values[IO_METRIC_COUNT];
};

struct io_files {
	struct {
		struct io_file *items;
		size_t count, capacity;
	} list;
	struct arena names;
};

#define IO_FIRST_NUMBER 10 /* of files that were opened, in each experiment */

/* Of all experiments, in the order of their numbers. -1: out of memory, reported. */
int io_files_read(struct session *session, struct io_files *files);
/* The same by name: each has the sum of its files, and the number of the first. */
int io_files_group(struct session *session, struct io_files *files);
void io_files_release(struct io_files *files);
/* "ext4", or NULL for one that is not known. */
const char *io_file_system_name(int64_t file_system);

#endif
