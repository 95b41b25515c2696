/* SPDX-License-Identifier: Apache-2.0 */
/* gzip and xz, written by libarchive. */
#ifndef LIBEXPT_STREAM_FILTER_H
#define LIBEXPT_STREAM_FILTER_H

#include <stddef.h>

#include "libexpt/expt.h"

/* Compress bytes to packed, which has room for *packed_size; level 0: the default. The
 * result does not depend on the time or the machine. */
int tar_filter(enum expt_compression method, int level, const void *bytes, size_t length,
	       void *packed, size_t *packed_size);

#endif
