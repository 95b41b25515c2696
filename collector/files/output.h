/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an experiment while it grows: mapped in windows that are made with
 * fallocate ahead of their use, so that writing is a store, which no limit, sandbox or
 * change of user can refuse.
 *
 * A block file is handed out in blocks of BLOCK_SIZE, each filled by one thread through a
 * cursor. A text file is one sequence of records, written by one thread at a time.
 */
#ifndef COLLECTOR_WRITER_H
#define COLLECTOR_WRITER_H

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

/* A thread's place in a block file. */
struct cursor {
	char *block; /* NULL: none yet */
	size_t offset;
	uint32_t used;
};

/* Make a file and put length bytes into it. Its descriptor, or a negative errno. */
int writer_create(int directory, const char *name, const char *content, size_t length);
/* The same under a hidden name, before it gets its own: others see all or nothing,
 * however the process ends. */
int writer_create_at_once(int directory, const char *name, const char *content,
			  size_t length);
/* Never replaces what is there, as far as the file system can. 0, or a negative errno. */
int writer_rename(int directory, const char *from, const char *to);
/* The file with that descriptor, which stays the caller's, has that length and will grow
 * from now on. */
void output_open(struct output *output, const char *name, int fd, size_t length,
		 size_t window_size);
/* No file yet: the first block is in that memory, where all is kept if the process ends.
 */
void output_open_in_memory(struct output *output, char *block);
bool output_is_open(const struct output *output);
/* Map what follows the content, so that the file can grow. False: no more can be had. */
bool output_reserve(struct output *output);
/* Cut the file to length, and unmap it. */
void output_close(struct output *output, size_t length);
/* Forget the file in a child of fork, which has no windows of it; is_writing: it was made
 * by a handler that interrupted a store into one, and the child will go on with that. */
void output_forget(struct output *output, bool is_writing);

/* Room for a packet of size bytes in the thread's block; NULL if there is none (the
 * reason has been logged). Before cursor_publish() readers see an empty packet there. */
char *cursor_reserve(struct cursor *cursor, struct output *output, size_t size);
/* The packet's head is stored last, in one piece. */
void cursor_publish(char *room, uint16_t type, size_t size);
/* Both, for a packet whose head is still to be written; nothing if there is no room. */
void cursor_put(struct cursor *cursor, struct output *output, uint16_t type,
		const void *packet, size_t size);
/* Bytes used of the file, given that cursor may stand in its last block. */
size_t cursor_limit(const struct cursor *cursor, size_t length);

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

/* May be written up to this size without SIGXFSZ. */
bool writer_may_grow(size_t size);
/* pwrite that never raises SIGXFSZ and writes all or fails. */
int writer_put(int fd, const char *bytes, size_t length, off_t offset);

#endif
