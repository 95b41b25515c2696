/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as compress.h writes them, and those of others. */
#ifndef LIBEXPT_COMPRESS_READ_H
#define LIBEXPT_COMPRESS_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

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
