/* SPDX-License-Identifier: Apache-2.0 */
/* Making files, and writing to them by their descriptor. */
#ifndef COLLECTOR_FILES_CREATE_H
#define COLLECTOR_FILES_CREATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Make a file and put length bytes into it. Its descriptor, or a negative errno. */
int writer_create(int directory, const char *name, const char *content, size_t length);
/* The same under a hidden name, before it gets its own: others see all or nothing,
 * however the process ends. */
int writer_create_at_once(int directory, const char *name, const char *content,
			  size_t length);
/* Never replaces what is there, as far as the file system can. 0, or a negative errno. */
int writer_rename(int directory, const char *from, const char *to);
/* May be written up to this size without SIGXFSZ. */
bool writer_may_grow(size_t size);
/* pwrite that never raises SIGXFSZ and writes all or fails. */
int writer_put(int fd, const char *bytes, size_t length, off_t offset);

#endif
