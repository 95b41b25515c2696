/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment file that only grows. Its data stay in memory until the file is made. */
#ifndef COLLECTOR_OUTSIDE_FILE_H
#define COLLECTOR_OUTSIDE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "collector/base/text.h"

struct file {
	int fd; /* -1: not made yet */
	char *bytes;
	size_t length, room; /* of the data not yet written */
	size_t written;	     /* bytes on disk */
};

void file_init(struct file *file);
/* Make it on disk. Returns 0, or a negative errno. */
int file_make(struct file *file, int directory, const char *name);
/* Returns the length on the disk: less than file_size() if the disk is full. */
size_t file_close(struct file *file);

void file_put(struct file *file, const void *bytes, size_t size);
void file_put_text(struct file *file, const struct text *text);
/* Append to a block file: a packet never crosses a block. Its head is the first word. */
void file_put_packet(struct file *file, const void *packet, size_t size);
/* Write pending data to disk. On failure returns a negative errno and drops the data. */
int file_flush(struct file *file);
size_t file_size(const struct file *file);

#endif
