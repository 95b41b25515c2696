/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions of the kernel were recorded: known if it is the one that runs here. */
#ifndef COLLECTOR_PERF_KERNEL_CODE_H
#define COLLECTOR_PERF_KERNEL_CODE_H

#include "collector/common/map_text.h"
#include "collector/kernel/symbols.h"
#include "collector/perf/features.h"
#include "collector/perf/images.h"

/* The kernel, or one of its modules, in map.xml. */
struct kernel_part {
	char name[64];
	struct map_segment segment;
	uint32_t mapped_by; /* 1 + the number of the last image that has mapped it */
};

struct kernel_code {
	bool is_running; /* here */
	struct images *images;
	const struct features *features;
	struct symbols symbols;
	uint64_t shift; /* from recorded addresses of the kernel to those of today */
	bool is_used;
	struct kernel_part *parts;
	size_t part_count;
};

/* Returns 0, or a negative errno. */
int kernel_code_open(struct kernel_code *kernel, struct images *images,
		     const struct features *features);
void kernel_code_release(struct kernel_code *kernel);
/* Set *pc to the address that the code has in map.xml. Returns the part with it, valid
 * until the next call, or NULL: none is known. */
struct kernel_part *kernel_code_find(struct kernel_code *kernel, uint64_t *pc);

#endif
