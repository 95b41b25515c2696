/* SPDX-License-Identifier: Apache-2.0 */
/* The call stack of a sample. */
#ifndef COLLECTOR_PERF_CHAIN_H
#define COLLECTOR_PERF_CHAIN_H

#include "collector/outside/mappings.h"
#include "collector/perf/event.h"
#include "collector/perf/kernel_code.h"

/* The part of the kernel with a frame is to be in map.xml. */
typedef void chain_map(void *data, struct kernel_part *part);

/* Store the frames, leaf first, as stacks have them. Returns their number, at most
 * STACK_PCS_MAX. */
size_t chain_read(uint64_t *pcs, const struct event *event,
		  const struct mappings *mappings, struct kernel_code *kernel,
		  chain_map *map, void *data);

#endif
