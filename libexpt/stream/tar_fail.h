/* SPDX-License-Identifier: Apache-2.0 */
/* Describing failures of libarchive and of the streams below it. */
#ifndef LIBEXPT_STREAM_TAR_FAIL_H
#define LIBEXPT_STREAM_TAR_FAIL_H

#include "libexpt/expt.h"

/* Describe a failure. text is libarchive's message, or NULL. inner is a failure of the
 * compressor or decompressor below, which describes it better. Returns the code of the
 * one reported. */
int tar_fail(const char *text, const struct expt_error *inner, int code,
	     struct expt_error *err);

#endif
