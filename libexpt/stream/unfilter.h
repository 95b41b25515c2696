/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses foreign tarballs (gzip, bzip2, xz) piece by piece. This is a stage of its
 * own so that every byte is counted before libarchive looks for the next member, which
 * may come after terabytes of zeros.
 */
#ifndef LIBEXPT_STREAM_UNFILTER_H
#define LIBEXPT_STREAM_UNFILTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "libexpt/stream/decompress.h"

struct unfilter;

/* Read from the decompressor, which stays the caller's. Data without one of these filters
 * passes unchanged. */
int unfilter_open(struct unfilter **out, struct decompressor *from,
		  struct expt_error *err);
void unfilter_close(struct unfilter *unfilter);
bool unfilter_is_packed(const struct unfilter *unfilter);
/* Get a piece, valid until the next call. Returns its length, 0 at the end, or a negative
 * errno. */
ssize_t unfilter_read(struct unfilter *unfilter, const void **bytes,
		      struct expt_error *err);

#endif
