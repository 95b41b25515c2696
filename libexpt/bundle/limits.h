/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits on a bundle, or a tarball from an unknown source. They are the same for
 * unpacking, checking, listing and reading in place.
 */
#ifndef LIBEXPT_BUNDLE_LIMITS_H
#define LIBEXPT_BUNDLE_LIMITS_H

#include <stdint.h>

#include "libexpt/expt.h"

#define LIMITS_ENTRIES	 1000000 /* defaults */
#define LIMITS_BYTES	 (UINT64_C(256) << 30)
#define LIMITS_DEPTH	 64
#define LIMITS_EXPANSION 1000 /* bytes of output per byte of input, beyond ... */
#define LIMITS_ALWAYS_BYTES                                            \
	(UINT64_C(2) << 30) /* ... this many, which are always allowed \
			     */

/* Disk space of an entry, even an empty one. */
#define LIMITS_ENTRY_BYTES 4096
#define LIMITS_PADDING	   65536		 /* bytes of headers for an entry */
#define LIMITS_TRAILER	   (UINT64_C(256) << 20) /* after the end, normally zeros */

struct limits {
	uint64_t max_entries, max_bytes;
	uint64_t max_expansion, always; /* max_expansion applies beyond this many bytes */
	uint64_t max_names;		/* bytes of all names */
	unsigned max_depth;
};

/* Set the limits of the options, or the defaults, also for NULL. Setting max_bytes
 * without max_expansion allows that many bytes regardless of the input. */
void limits_init(struct limits *limits, const struct expt_import_options *options);
/* Returns the maximum size of all files, including holes. */
uint64_t limits_max_files(const struct limits *limits);
/* Returns the maximum output, including holes, for that much compressed input. */
uint64_t limits_max_output(const struct limits *limits, uint64_t input);
/* Returns the maximum size of the decompressed stream for that much input. */
uint64_t limits_max_stream(const struct limits *limits, uint64_t input);

#endif
