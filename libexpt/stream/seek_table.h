/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the zstd seekable format: what each frame takes before and after
 * compression. It is a skippable frame closed by a footer, which is read from the end of
 * the file.
 */
#ifndef LIBEXPT_STREAM_SEEK_TABLE_H
#define LIBEXPT_STREAM_SEEK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKIPPABLE_HEAD	 8u	     /* magic number and size */
#define SEEK_INDEX_MAGIC 0x184D2A5Bu /* of our index, the last frame before the table */
#define SEEK_TABLE_MAGIC 0x184D2A5Eu
/* Larger frames, which only others write, are read from their beginning to their end. */
#define SEEK_FRAME_MAX (16u << 20)
/* What zstd makes of the largest frame at worst. */
#define SEEK_PACKED_MAX (SEEK_FRAME_MAX + (SEEK_FRAME_MAX >> 8))

struct seek_entry {
	uint32_t packed_size, plain_size;
};

struct seek_table {
	struct seek_entry *items;
	size_t count, capacity;
};

/* The table of a file; false if it has none, or one that is not to be trusted: the
 * entries account for every byte before the table, and no frame is too large. */
bool seek_table_read(struct seek_table *table, int fd, uint64_t file_size);
/* The same of the frame that holds it, which frames_size bytes are in front of. */
bool seek_table_parse(struct seek_table *table, const unsigned char *bytes, size_t size,
		      uint64_t frames_size);
/* The frame that holds the table; the caller frees it. */
int seek_table_bytes(unsigned char **bytes, size_t *size, const struct seek_table *table);

uint32_t seek_get32(const unsigned char *bytes);
unsigned char *seek_put32(unsigned char *bytes,
			  uint32_t value); /* returns what is behind */

#endif
