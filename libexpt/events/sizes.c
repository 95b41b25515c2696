/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of sizes, in statistics of blocks and transfers. */
#include "libexpt/expt.h"

#define KB UINT64_C(1024)
#define MB (1024 * KB)
#define GB (1024 * MB)
#define TB (1024 * GB)

/* The largest size in each range. */
static const uint64_t ranges[EXPT_SIZE_RANGES] = {
	KB,	  8 * KB, 32 * KB, 128 * KB, 256 * KB, 512 * KB, MB,	     10 * MB,
	100 * MB, GB,	  10 * GB, 100 * GB, TB,       10 * TB,	 UINT64_MAX,
};

size_t expt_size_range(uint64_t bytes)
{
	size_t i = 0;

	while (bytes > ranges[i])
		i++;
	return i;
}
