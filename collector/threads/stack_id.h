/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for call stacks: a hash of the frames, which are written once per writer. */
#ifndef COLLECTOR_THREADS_STACK_ID_H
#define COLLECTOR_THREADS_STACK_ID_H

#include <stddef.h>
#include <stdint.h>

#include "collector/common/stack_uids.h"
#include "collector/files/blocks.h"
#include "collector/files/output.h"
#include "collector/unwind/again.h"
#include "libexpt/format.h"

/* The cache index is the upper bits of a number, which are mixed best. */
#define SEEN_RECENT_BITS 3

/* The set of numbers already written: open addressing, 0 is free. */
struct seen_table {
	uint64_t *slots;
	size_t size, used;
	uint64_t recent[1 << SEEN_RECENT_BITS]; /* direct-mapped cache of recent lookups
						 */
};

struct stack_writer {
	size_t depth;		 /* 0: not made yet */
	uint64_t *pcs;		 /* room for depth + 1; NULL if no stacks are written */
	struct java_frame *java; /* the same for a thread of a Java machine, or NULL */
	struct cursor frames;
	struct seen_table seen;
	/* Memory of the last walk, for writers of traced calls */
	struct unwind_memory memory;
	struct stack_uids *uids; /* one for each step in memory, and one for the end */
};

/* Allocate room for stacks of depth frames, and for the memory of walks, unless there is
 * enough of it. Returns false if memory runs out. */
bool stack_writer_init(struct stack_writer *writer, size_t depth, bool is_remembering);
/* Allocate room for Java stacks of depth frames, once. Returns false if memory runs out.
 */
bool stack_writer_take_java(struct stack_writer *writer, size_t depth);
/* Call when another thread takes over the writer. */
void stack_writer_forget(struct stack_writer *writer);
/* Call in a child of fork: its experiment has none of the stacks written so far. */
void stack_writer_after_fork(struct stack_writer *writer);

/* Returns the number of the stack in data.frameinfo, or 0 if it could not be written. */
uint64_t stack_id(struct stack_writer *writer, const uint64_t *pcs, size_t count);
/* The same for one that has a Java stack, too: that many frames in the writer. */
uint64_t stack_id_java(struct stack_writer *writer, const uint64_t *pcs, size_t count,
		       size_t java_count);
/* The same for one of a thread of OpenMP, in that state; list: the user's stack, or 0. */
uint64_t stack_id_openmp(struct stack_writer *writer, const uint64_t *pcs, size_t count,
			 uint32_t state, uint64_t list);
/* Returns the number of a list of frames, which goes on with another one if that is not
 * 0; of an empty list, that one. */
uint64_t stack_list(struct stack_writer *writer, const uint64_t *pcs, size_t count,
		    uint64_t link);
/* The same for the stack found by unwind_again(). */
uint64_t stack_id_again(struct stack_writer *writer, size_t first, size_t fresh);

#endif
