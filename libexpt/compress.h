/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed streams. What we write is a row of independent zstd frames, cut at fixed places and
 * compressed in parallel, with an index and the table of the zstd seekable format (seek_table.h) in
 * skippable frames at the end: any zstd reads it, and the bytes do not depend on the number of
 * threads. compress.c and seekable.c, which reads single frames, include zstd, and no others.
 */
#ifndef LIBEXPT_COMPRESS_H
#define LIBEXPT_COMPRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

/* Bytes in a frame before compression; the last one is shorter. */
#define COMPRESS_FRAME_SIZE (8u << 20)
#define COMPRESS_LEVEL	    3
#define COMPRESS_LEVEL_NONE (-1) /* as it is, without frames */
#define COMPRESS_LEVEL_MAX  19

struct compressor;

/* Writes to fd, which stays the caller's. level 0: COMPRESS_LEVEL; threads 0: as many as useful. */
int compressor_open(struct compressor **out, int fd, int level, unsigned threads,
		    struct expt_error *err);
int compressor_write(struct compressor *compressor, const void *bytes, size_t length,
		     struct expt_error *err);
/* An index of what was written, which stays the caller's, for the end of the stream. */
void compressor_set_index(struct compressor *compressor, const char *index, size_t length);
/* The rest, the index and the table. Without it the output is not whole. */
int compressor_finish(struct compressor *compressor, struct expt_error *err);
uint64_t compressor_taken(const struct compressor *compressor); /* bytes written to it */
void compressor_close(struct compressor *compressor);

struct decompressor;

/* Reads fd from where it is, which stays the caller's. A zstd stream is decompressed, in parallel
 * if it is a file with a table; anything else comes through as it is. */
int decompressor_open(struct decompressor **out, int fd, unsigned threads,
		      struct expt_error *err);
/* The next bytes, valid until the next call: their number, 0 at the end. -EBADMSG: damaged, or
 * cut. */
ssize_t decompressor_read(struct decompressor *decompressor, const void **bytes,
			  struct expt_error *err);
/* Of the compressed stream: bytes read so far, and all of them, 0 if that is not known. */
uint64_t decompressor_consumed(const struct decompressor *decompressor);
uint64_t decompressor_size(const struct decompressor *decompressor);
void decompressor_close(struct decompressor *decompressor);

#endif
