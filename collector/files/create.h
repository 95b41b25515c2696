/* SPDX-License-Identifier: Apache-2.0 */
/* Create files, and write to them by descriptor. */
#ifndef COLLECTOR_FILES_CREATE_H
#define COLLECTOR_FILES_CREATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Create a file and write length bytes to it. Returns its descriptor, or a negative
 * errno. */
int writer_create(int directory, const char *name, const char *content, size_t length);
/* The same under a hidden name, renamed at the end: others see all of the file or
 * nothing, however the process ends. */
int writer_create_at_once(int directory, const char *name, const char *content,
			  size_t length);
/* Never replaces an existing file if the file system supports that. Returns 0 or a
 * negative errno. */
int writer_rename(int directory, const char *from, const char *to);
/* Returns true if a file may be written up to this size without SIGXFSZ. */
bool writer_may_grow(size_t size);
/* Writes all bytes or fails, like pwrite, without ever raising SIGXFSZ. */
int writer_put(int fd, const char *bytes, size_t length, off_t offset);

/* The same for pieces, one after the other, which are changed. -EFAULT: some of their
 * memory does not exist; a part may be written. */
int writer_put_pieces(int fd, struct iovec *pieces, size_t count, off_t offset);

#endif
