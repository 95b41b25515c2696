/* SPDX-License-Identifier: Apache-2.0 */
/* The code that a process has mapped. */
#ifndef COLLECTOR_OUTSIDE_MAPPINGS_H
#define COLLECTOR_OUTSIDE_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/outside/binary.h"
#include "collector/outside/record.h"

struct mapping {
	uint64_t address, size, file_offset;
	struct binary *binary; /* NULL: made at run time */
};

struct mappings {
	struct mapping *items; /* by address, without overlaps */
	size_t count, room;
};

/* Add one, in the place of others. */
void mappings_add(struct mappings *mappings, const struct mapping *mapping);
/* Drop those that this range is a part of. */
void mappings_drop(struct mappings *mappings, uint64_t address, uint64_t size);
/* Add that of a record, MMAP2. Returns it, or NULL if it is of no file; it is valid until
 * the next one. */
const struct mapping *mappings_take(struct mappings *mappings,
				    const struct perf_record *record);
/* Take those of a process that lives. */
void mappings_read(struct mappings *mappings, pid_t pid);
void mappings_copy(struct mappings *mappings, const struct mappings *from);
void mappings_clear(struct mappings *mappings);
/* Returns the one with this address, or NULL. */
const struct mapping *mappings_find(const struct mappings *mappings, uint64_t address);

#endif
