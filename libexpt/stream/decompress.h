/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as compress.h writes them, and those of others. */
#ifndef LIBEXPT_STREAM_DECOMPRESS_H
#define LIBEXPT_STREAM_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

struct decompressor;

/* Reads fd from where it is, which stays the caller's. A zstd stream is decompressed, in
 * parallel if it is a file with a table; anything else comes through as it is. A pipe may
 * be silent for so many seconds, or 0: for ever; then it is -ETIMEDOUT. */
int decompressor_open(struct decompressor **out, int fd, unsigned threads,
		      unsigned timeout_s, struct expt_error *err);
/* The next bytes, valid until the next call: their number, 0 at the end. -EBADMSG:
 * damaged, or cut. */
ssize_t decompressor_read(struct decompressor *decompressor, const void **bytes,
			  struct expt_error *err);
/* Of the compressed stream: bytes read so far, and all of them, 0 if that is not known. */
uint64_t decompressor_consumed(const struct decompressor *decompressor);
uint64_t decompressor_size(const struct decompressor *decompressor);
/* What seek_tail_index() says of a stream that was read to its end, serially: 0 of any
 * other. */
int decompressor_index(char **text, uint64_t *plain_size,
		       const struct decompressor *decompressor, size_t max,
		       struct expt_error *err);
/* One stream, which can only be read from its beginning. */
bool decompressor_is_serial(const struct decompressor *decompressor);
/* The stream is not zstd, and comes through as it is. */
bool decompressor_is_plain(const struct decompressor *decompressor);
void decompressor_close(struct decompressor *decompressor);

#endif
