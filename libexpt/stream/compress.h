/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed streams. What we write is a row of independent frames, cut at fixed places
 * and compressed in parallel: any program that knows the method reads it, and the bytes
 * do not depend on the number of threads. zstd frames are followed by an index and the
 * table of the zstd seekable format (seek_table.h) in skippable frames. compress.c and
 * compress_read.c include zstd, and no others; tar_filter.c has the other methods from
 * libarchive.
 */
#ifndef LIBEXPT_STREAM_COMPRESS_H
#define LIBEXPT_STREAM_COMPRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

/* Bytes in a frame before compression, at most. */
#define COMPRESS_FRAME_SIZE (8u << 20)
/* When one is ended early, before a file that is better read without what stands in front
 * of it. What is shorter compresses worse; before small files, of which one is read much
 * faster so, it is worth it. */
#define COMPRESS_FRAME_MIN	 (6u << 20)
#define COMPRESS_FRAME_MIN_SMALL (4u << 20)
#define COMPRESS_LEVEL		 3 /* of zstd, unless said */
#define COMPRESS_LEVEL_MAX	 19

struct compressor;

/* Writes to fd, which stays the caller's. level 0: what is usual with the method; threads
 * 0: as many as useful. */
int compressor_open(struct compressor **out, int fd, enum expt_compression method,
		    int level, unsigned threads, struct expt_error *err);
int compressor_write(struct compressor *compressor, const void *bytes, size_t length,
		     struct expt_error *err);
/* End the frame if it has so many bytes: what comes next can then be read without it. */
int compressor_cut(struct compressor *compressor, size_t least, struct expt_error *err);
/* An index of what was written, which stays the caller's, for the end of the stream. */
void compressor_set_index(struct compressor *compressor, const char *index,
			  size_t length);
/* The rest, the index and the table. Without it the output is not whole. */
int compressor_finish(struct compressor *compressor, struct expt_error *err);
uint64_t compressor_taken(const struct compressor *compressor); /* bytes written to it */
void compressor_close(struct compressor *compressor);

#endif
