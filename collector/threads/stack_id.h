/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for call stacks: a hash of the frames, which are written once per writer. */
#ifndef COLLECTOR_STACK_ID_H
#define COLLECTOR_STACK_ID_H

#include <stddef.h>
#include <stdint.h>

#include "collector/common/stack_uids.h"
#include "collector/files/blocks.h"
#include "collector/files/output.h"
#include "collector/unwind/again.h"

/* A line of the cache, by the upper bits of a number, which mix best. */
#define SEEN_RECENT_BITS 3

/* Numbers that were met: open addressing, 0 is free. */
struct seen_table {
	uint64_t *slots;
	size_t size, used;
	uint64_t recent[1 << SEEN_RECENT_BITS]; /* asked for lately, each at a place of
						   its own */
};

struct stack_writer {
	uint64_t *pcs; /* room for settings.depth + 1; NULL: no stacks are written */
	struct cursor frames;
	struct seen_table seen;
	/* Of the last walk, for writers that write stacks of calls. */
	struct unwind_memory memory;
	struct stack_uids *uids; /* by the steps of the memory, and one for the end */
};

/* Room for stacks of so many frames, and to remember them. False: there is no memory. */
bool stack_writer_init(struct stack_writer *writer, size_t depth, bool is_remembering);
/* Another thread goes on with the writer. */
void stack_writer_forget(struct stack_writer *writer);
/* In a child of fork: what was written is not in its experiment. */
void stack_writer_after_fork(struct stack_writer *writer);

/* The number under which the stack is found in data.frameinfo; 0: it could not be
 * written. */
uint64_t stack_id(struct stack_writer *writer, const uint64_t *pcs, size_t count);
/* The same of what unwind_again() has found. */
uint64_t stack_id_again(struct stack_writer *writer, size_t first, size_t fresh);

#endif
