/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of a bundle, or of a tarball from an unknown source. They are the same whether
 * it is unpacked, checked, listed, or read in place.
 */
#ifndef LIBEXPT_BUNDLE_LIMITS_H
#define LIBEXPT_BUNDLE_LIMITS_H

#include <stdint.h>

#include "libexpt/expt.h"

#define LIMITS_ENTRIES	 1000000 /* defaults */
#define LIMITS_BYTES	 (UINT64_C(256) << 30)
#define LIMITS_DEPTH	 64
#define LIMITS_EXPANSION 1000 /* bytes out for a byte in, beyond ... */
#define LIMITS_ALWAYS_BYTES                                         \
	(UINT64_C(2) << 30) /* ... this many, which are always fine \
			     */

/* The room on the disk that an entry needs, even an empty one. */
#define LIMITS_ENTRY_BYTES 4096
#define LIMITS_PADDING	   65536		 /* bytes of headers for an entry */
#define LIMITS_TRAILER	   (UINT64_C(256) << 20) /* after the end, zeros as a rule */

struct limits {
	uint64_t max_entries, max_bytes;
	uint64_t max_expansion, always; /* the first counts beyond this many bytes */
	uint64_t max_names;		/* bytes of all names */
	unsigned max_depth;
};

/* The limits of the options, or the defaults, also for NULL. Setting max_bytes and not
 * max_expansion allows that many bytes, however little went in. */
void limits_init(struct limits *limits, const struct expt_import_options *options);
/* The most that all files may have, holes included. */
uint64_t limits_whole(const struct limits *limits);
/* The most that may come out for so much compressed input, holes included. */
uint64_t limits_credible(const struct limits *limits, uint64_t input);
/* The most that the decompressed stream may have for so much input. */
uint64_t limits_stream(const struct limits *limits, uint64_t input);

#endif
