/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of an experiment while they grow: mapped in windows allocated ahead of use with
 * fallocate, so that writing is a store, which no limit, sandbox or change of user can
 * refuse.
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

/* Set up the file that is open as fd, which stays the caller's. It has that length and
 * will grow from now on. */
void output_open(struct output *output, const char *name, int fd, size_t length,
		 size_t window_size);
/* Set up an output without a file yet. Its first block is that memory, and all data stay
 * there if the process ends. */
void output_open_in_memory(struct output *output, char *block);
bool output_is_open(const struct output *output);
/* Returns the address of a window, which is made if need be; NULL with the reason in
 * *error. */
char *output_window(struct output *output, size_t index, int *error);
/* Map room after the content, so that the file can grow. Returns false if no more is
 * available. */
bool output_reserve(struct output *output);
/* Cut the file to length, and unmap it. Returns the length that it has then: less on a
 * full disk, and 0 if there is no file or it cannot be reached. */
size_t output_close(struct output *output, size_t length);
/* Forget the file in a child of fork, which does not have its windows. is_writing: the
 * fork was made by a handler that interrupted a store into a window, and the child will
 * continue that store. */
void output_forget(struct output *output, bool is_writing);

/* Write at the end of a file that is not mapped. If only a part fits, nothing is written.
 */
bool output_append(const struct output *output, const char *bytes, size_t length,
		   size_t end);
/* Append a record that begins with '<'. One thread at a time. */
bool output_put_text(struct output *output, const char *record, size_t length);

/* Call in the handler of SIGBUS. Returns 0 if the fault is not a store into a window;
 * EBADF if the file was cut short, else ENOSPC. The store then goes nowhere, and the
 * caller must stop the recording. */
int output_absorb_fault(const struct output *output, uintptr_t address);

/* Call before an exec: give back the rest that is not handed out, and hand out no more
 * until output_resume(). */
void output_suspend(struct output *output);
bool output_resume(struct output *output);

#endif
