/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an experiment while it grows: mapped in windows that are made with
 * fallocate ahead of their use, so that writing is a store, which no limit, sandbox or
 * change of user can refuse.
 *
 * A block file is handed out in blocks of BLOCK_SIZE (see blocks.h). A text file is one
 * sequence of records, written by one thread at a time.
 */
#ifndef COLLECTOR_FILES_OUTPUT_H
#define COLLECTOR_FILES_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/files/file.h"
#include "collector/files/windows.h"

struct output {
	struct file file;
	_Atomic size_t end; /* bytes handed out */
	struct windows windows;
};

/* The file with that descriptor, which stays the caller's, has that length and will grow
 * from now on. */
void output_open(struct output *output, const char *name, int fd, size_t length,
		 size_t window_size);
/* No file yet: the first block is in that memory, where all is kept if the process ends.
 */
void output_open_in_memory(struct output *output, char *block);
bool output_is_open(const struct output *output);
/* The address of a window, which is made if need be; NULL: *error says why. */
char *output_window(struct output *output, size_t index, int *error);
/* Map what follows the content, so that the file can grow. False: no more can be had. */
bool output_reserve(struct output *output);
/* Cut the file to length, and unmap it. */
void output_close(struct output *output, size_t length);
/* Forget the file in a child of fork, which has no windows of it; is_writing: it was made
 * by a handler that interrupted a store into one, and the child will go on with that. */
void output_forget(struct output *output, bool is_writing);

/* Write at the end of a file that is not mapped; where there is room for a part only,
 * nothing. */
bool output_append(const struct output *output, const char *bytes, size_t length,
		   size_t end);
/* Append a record that begins with '<'. One thread at a time. */
bool output_put_text(struct output *output, const char *record, size_t length);

/* In the handler of SIGBUS: not 0 if the fault is a store into a window, EBADF if its
 * file was cut short, else ENOSPC; the store then goes nowhere, and recording is to be
 * stopped. */
int output_absorb_fault(const struct output *output, uintptr_t address);

/* Before an exec: give back what is not handed out, and hand out nothing, until resumed.
 */
void output_suspend(struct output *output);
bool output_resume(struct output *output);

#endif
