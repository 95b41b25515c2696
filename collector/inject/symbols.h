/* SPDX-License-Identifier: Apache-2.0 */
/* Exported functions and variables of a library in another process. */
#ifndef COLLECTOR_INJECT_SYMBOLS_H
#define COLLECTOR_INJECT_SYMBOLS_H

#include <stdint.h>

/* Returns the address of what the library exports by that name, or 0. The library is read
 * from the memory of the process, as its file may have been replaced; it begins at base.
 */
uint64_t symbols_find(int memory, uint64_t base, const char *name);

#endif
