/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong below or in libarchive, in our words: for those who call it. */
#ifndef LIBEXPT_STREAM_TAR_FAIL_H
#define LIBEXPT_STREAM_TAR_FAIL_H

#include "libexpt/expt.h"

/* text is what libarchive says, or NULL; what failed outside it, in our compressor or
 * decompressor, is in inner, and says it better. Returns the code of the one that counts.
 */
int tar_fail(const char *text, const struct expt_error *inner, int code,
	     struct expt_error *err);

#endif
