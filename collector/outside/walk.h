/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the stack of another process, by a copy of it and of its registers. */
#ifndef COLLECTOR_OUTSIDE_WALK_H
#define COLLECTOR_OUTSIDE_WALK_H

#include "collector/outside/mappings.h"
#include "collector/outside/record.h"

/* Call once, before walks: files may be truncated while they are read. */
void walk_init(void);
/* Store up to limit frames, leaf first, as stacks have them, and a marker where the walk
 * did not reach the end. is_cut: the stack is longer than its copy. Returns their number.
 */
size_t walk_record(uint64_t *pcs, size_t limit, const struct perf_record *record,
		   const struct mappings *mappings, bool is_cut);
/* Returns the address of the call that returns to this address, as far as the code there
 * is known, or else the address before it. */
uint64_t walk_call(const struct mappings *mappings, uint64_t return_address);
/* Call the function, which reads mapped files. False: it was given up, because one of
 * them is truncated. */
bool walk_read(void (*function)(void *data), void *data);

#endif
