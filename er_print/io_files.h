/* SPDX-License-Identifier: Apache-2.0 */
/* Files of descriptors. */
#ifndef ER_PRINT_IO_FILES_H
#define ER_PRINT_IO_FILES_H

#include "er_print/io.h"

/* A file that a descriptor referred to, from an open to a close. */
struct io_file {
	const char *name;
	size_t member;
	int64_t number; /* 1 to 4: standard streams, and events without a file */
	int64_t fd;	/* negative: none */
	int64_t file_system;
	bool is_used; /* has events */
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

/* Read the files of all experiments, ordered by number. -1: out of memory, reported. */
int io_files_read(struct session *session, struct io_files *files);
/* Merge files of the same name: each gets the sums, and the number of the first. */
int io_files_group(struct session *session, struct io_files *files);
void io_files_release(struct io_files *files);
/* Returns "ext4", or NULL for an unknown one. */
const char *io_file_system_name(int64_t file_system);

#endif
