/* SPDX-License-Identifier: Apache-2.0 */
/* A file of an experiment that grows at its end. Until it has a place on disk it waits in
 * memory. */
#ifndef COLLECTOR_SAMPLER_FILE_H
#define COLLECTOR_SAMPLER_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "collector/base/text.h"

struct file {
	int fd; /* -1: not made yet */
	char *bytes;
	size_t length, room; /* of what waits */
	size_t written;	     /* to disk */
};

void file_init(struct file *file);
/* Make it. 0, or a negative errno. */
int file_make(struct file *file, int directory, const char *name);
void file_close(struct file *file);

void file_put(struct file *file, const void *bytes, size_t size);
void file_put_text(struct file *file, const struct text *text);
/* Of a block file: a packet lies in one block. Its head is the first word. */
void file_put_packet(struct file *file, const void *packet, size_t size);
/* What waits, to disk. 0, or a negative errno: it is dropped then. */
int file_flush(struct file *file);
size_t file_size(const struct file *file);

#endif
