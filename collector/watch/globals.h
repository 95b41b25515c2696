/* SPDX-License-Identifier: Apache-2.0 */
/* The writable data of the program and its libraries. */
#ifndef COLLECTOR_WATCH_GLOBALS_H
#define COLLECTOR_WATCH_GLOBALS_H

#include <stddef.h>
#include <stdint.h>

#define WATCH_GLOBALS_MAX 256

struct watch_range {
	uint64_t address, size;
};

/* Find them, in normal code: once at the start, ... */
void watch_globals_open(void);
/* ... and when libc has loaded or unloaded an object. Does nothing if the first was not
 * called. */
void watch_globals_refresh(void);
/* Returns their number, and a number that changes with them. */
size_t watch_globals_count(unsigned *version);
/* Call in a handler. A range of size 0 is being changed. */
struct watch_range watch_globals_at(size_t i);

#endif
