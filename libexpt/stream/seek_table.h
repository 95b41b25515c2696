/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the zstd seekable format: the sizes of each frame before and after
 * compression. It is a skippable frame that ends with a footer, which is read from the
 * end of the file.
 */
#ifndef LIBEXPT_STREAM_SEEK_TABLE_H
#define LIBEXPT_STREAM_SEEK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKIPPABLE_HEAD	 8u	     /* magic number and size */
#define SEEK_INDEX_MAGIC 0x184D2A5Bu /* the index, the last frame before the table */
#define SEEK_TABLE_MAGIC 0x184D2A5Eu
/* Larger frames, which only other programs write, are read from beginning to end. */
#define SEEK_FRAME_MAX (16u << 20)
/* The worst case of zstd for the largest frame. */
#define SEEK_PACKED_MAX (SEEK_FRAME_MAX + (SEEK_FRAME_MAX >> 8))

struct seek_entry {
	uint32_t packed_size, plain_size;
};

struct seek_table {
	struct seek_entry *items;
	size_t count, capacity;
};

/* Read the table of a file. False: it has none, or one that cannot be trusted. The
 * entries must account for every byte before the table, and no frame may be too large. */
bool seek_table_read(struct seek_table *table, int fd, uint64_t file_size);
/* Parse the table from its frame, which follows frames_size bytes. */
bool seek_table_parse(struct seek_table *table, const unsigned char *bytes, size_t size,
		      uint64_t frames_size);
/* Build the frame of a table; the caller frees it. */
int seek_table_bytes(unsigned char **bytes, size_t *size, const struct seek_table *table);

uint32_t seek_get32(const unsigned char *bytes);
unsigned char *seek_put32(unsigned char *bytes, uint32_t value); /* returns the end */

#endif
