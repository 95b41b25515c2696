/* SPDX-License-Identifier: Apache-2.0 */
/* Size ranges of the heap statistics. */
#ifndef ER_PRINT_HEAP_RANGES_H
#define ER_PRINT_HEAP_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define HEAP_RANGES 15

/* Returns the range that a size belongs to. */
size_t heap_range(uint64_t size);
const char *heap_range_name(size_t range); /* "1KB - 8KB" */

#endif
