/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for call stacks: a hash of the frames, which are written once per writer. */
#ifndef COLLECTOR_STACK_ID_H
#define COLLECTOR_STACK_ID_H

#include <collector/writer.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers that were met: open addressing, 0 is free. */
struct seen_table {
	uint64_t *slots;
	size_t size, used;
};

struct stack_writer {
	uint64_t *pcs; /* room for settings.depth + 1; NULL: no stacks are written */
	struct cursor frames;
	struct seen_table seen;
};

/* The number under which the stack is found in data.frameinfo; 0: it could not be written. */
uint64_t stack_id(struct stack_writer *writer, const uint64_t *pcs, size_t count);
void seen_table_clear(struct seen_table *table);

#endif
