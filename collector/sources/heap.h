/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: allocations and frees. */
#ifndef COLLECTOR_SOURCES_HEAP_H
#define COLLECTOR_SOURCES_HEAP_H

#include <stddef.h>

#include "collector/files/source.h"

extern const struct data_source heap_source;

/* Only allocations of smallest to smallest + span bytes are recorded, but all frees:
 * readers ignore the free of an unknown block. */
extern struct heap_range {
	bool is_recorded; /* false: the wrappers only tell of blocks to watch */
	size_t smallest, span;
} heap_range __attribute__((visibility("default")));

#endif
