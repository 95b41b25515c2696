/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges of sizes that the heap statistics count. */
#ifndef ER_PRINT_HEAP_RANGES_H
#define ER_PRINT_HEAP_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define HEAP_RANGES 16

/* The range that a size belongs to. */
size_t heap_range(uint64_t size);
const char *heap_range_name(size_t range); /* "1KB - 8KB" */

#endif
