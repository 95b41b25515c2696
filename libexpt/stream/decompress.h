/* SPDX-License-Identifier: Apache-2.0 */
/* Reading streams that compress.h has written, and those of other programs. */
#ifndef LIBEXPT_STREAM_DECOMPRESS_H
#define LIBEXPT_STREAM_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

struct decompressor;

/* Read fd, which stays the caller's, from its current offset. A zstd stream is
 * decompressed, in parallel if it is a file with a table; anything else passes unchanged.
 * -ETIMEDOUT if a pipe is silent for timeout_s seconds, unless that is 0. */
int decompressor_open(struct decompressor **out, int fd, unsigned threads,
		      unsigned timeout_s, struct expt_error *err);
/* Get the next bytes, valid until the next call. Returns their number, 0 at the end.
 * -EBADMSG: damaged or cut off. */
ssize_t decompressor_read(struct decompressor *decompressor, const void **bytes,
			  struct expt_error *err);
/* Bytes of the compressed stream: read so far, and in total, or 0 if that is unknown. */
uint64_t decompressor_consumed(const struct decompressor *decompressor);
uint64_t decompressor_size(const struct decompressor *decompressor);
/* Call seek_tail_index() for a stream that was read serially to its end; 0 for any
 * other. */
int decompressor_index(char **text, uint64_t *plain_size,
		       const struct decompressor *decompressor, size_t max,
		       struct expt_error *err);
/* Whether it is a zstd stream that can only be read from its beginning. */
bool decompressor_is_serial(const struct decompressor *decompressor);
/* Whether the stream is not zstd, and passes unchanged. */
bool decompressor_is_plain(const struct decompressor *decompressor);
void decompressor_close(struct decompressor *decompressor);

#endif
