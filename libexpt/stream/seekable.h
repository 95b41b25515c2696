/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream that can be read from any place, counted before compression: independent zstd
 * frames with a seek table, decompressed as far as needed, or a file read as it is. One
 * thread at a time.
 */
#ifndef LIBEXPT_STREAM_SEEKABLE_H
#define LIBEXPT_STREAM_SEEKABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libexpt/expt.h"

struct seekable;

/* Read the regular file fd, which stays the caller's. */
int seekable_open(struct seekable **out, int fd, struct expt_error *err);
void seekable_close(struct seekable *seekable);
/* Release the decompressed frames. */
void seekable_rest(struct seekable *seekable);

uint64_t seekable_size(const struct seekable *seekable); /* before compression */
uint64_t seekable_packed_size(const struct seekable *seekable);
/* Get bytes from place on: at most wanted, perhaps fewer, 0 at the end. They are valid
 * until the next call. -EBADMSG: the frame is damaged. */
ssize_t seekable_read(struct seekable *seekable, uint64_t place, size_t wanted,
		      const void **bytes, struct expt_error *err);
/* Get the text of the index, at most max bytes, NUL added; the caller frees it. 1, or 0:
 * there is none. */
int seekable_index(char **text, struct seekable *seekable, size_t max,
		   struct expt_error *err);

#endif
