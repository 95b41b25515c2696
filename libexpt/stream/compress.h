/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed streams. The output is a row of independent frames, cut at fixed places and
 * compressed in parallel: any program that knows the method reads it, and the bytes do
 * not depend on the number of threads. zstd frames are followed by an index and the table
 * of the zstd seekable format (seek_table.h) in skippable frames. Only compress.c,
 * decompress.c and frame.c include zstd; filter.c gets the other methods from libarchive.
 */
#ifndef LIBEXPT_STREAM_COMPRESS_H
#define LIBEXPT_STREAM_COMPRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

/* The most bytes in a frame before compression. */
#define COMPRESS_FRAME_SIZE (8u << 20)
/* The least bytes in a frame that is ended early, before a file that is better read
 * without the preceding ones. Shorter frames compress worse. Before small files this is
 * worth it: reading one of them becomes much faster. */
#define COMPRESS_FRAME_MIN	 (6u << 20)
#define COMPRESS_FRAME_MIN_SMALL (4u << 20)
#define COMPRESS_LEVEL		 3 /* zstd's, by default */
#define COMPRESS_LEVEL_MAX	 19

struct compressor;

/* Write to fd, which stays the caller's. level 0: the method's default; threads 0: as
 * many as useful. */
int compressor_open(struct compressor **out, int fd, enum expt_compression method,
		    int level, unsigned threads, struct expt_error *err);
int compressor_write(struct compressor *compressor, const void *bytes, size_t length,
		     struct expt_error *err);
/* End the frame if it has at least this many bytes: the next ones can then be read
 * without it. */
int compressor_cut(struct compressor *compressor, size_t least, struct expt_error *err);
/* Set an index of the data for the end of the stream. It stays the caller's. */
void compressor_set_index(struct compressor *compressor, const char *index,
			  size_t length);
/* Write the rest, the index and the table. Without this the output is incomplete. */
int compressor_finish(struct compressor *compressor, struct expt_error *err);
uint64_t compressor_taken(const struct compressor *compressor); /* bytes written to it */
void compressor_close(struct compressor *compressor);

#endif
