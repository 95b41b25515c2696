/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/heap_ranges.h"

#define KB UINT64_C(1024)
#define MB (1024 * KB)
#define GB (1024 * MB)
#define TB (1024 * GB)

static const struct {
	const char *name;
	uint64_t most;
} ranges[HEAP_RANGES] = {
	{ "0KB - 1KB", KB },
	{ "1KB - 8KB", 8 * KB },
	{ "8KB - 32KB", 32 * KB },
	{ "32KB - 128KB", 128 * KB },
	{ "128KB - 256KB", 256 * KB },
	{ "256KB - 512KB", 512 * KB },
	{ "512KB - 1000KB", MB },
	{ "1000KB - 10MB", 10 * MB },
	{ "10MB - 100MB", 100 * MB },
	{ "100MB - 1GB", GB },
	{ "1GB - 10GB", 10 * GB },
	{ "10GB - 100GB", 100 * GB },
	{ "100GB - 1TB", TB },
	{ "1TB - 10TB", 10 * TB },
	{ "10TB and more", UINT64_MAX },
};

size_t heap_range(uint64_t size)
{
	size_t i = 0;

	while (size > ranges[i].most)
		i++;
	return i;
}

const char *heap_range_name(size_t range)
{
	return ranges[range].name;
}
