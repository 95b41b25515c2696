/* SPDX-License-Identifier: Apache-2.0 */
/* Where a walk stands, for the files that step from frame to frame. */
#ifndef COLLECTOR_UNWIND_WALK_H
#define COLLECTOR_UNWIND_WALK_H

#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

#define FRAME_LIMIT (UINT64_C(1) << 26) /* bytes of a stack of unknown bounds */

struct walk {
	uint64_t *pcs;
	size_t limit, count;
	const struct unwind_bounds *bounds;
	/* Where the walk stands. is_exact: pc was interrupted, it is not a return
	 * address. */
	uint64_t pc, sp, bp;
	bool is_exact;
	/* The program is interrupted, not called: a fault is not blocked then, and is
	 * worth its time. */
	bool may_fault;
	/* Frames without rules are in between: what the last one leads to need not be
	 * code, nor be there. */
	bool is_guessed;
	/* All that was known when the walk stood at frame full_frame: in a ucontext, or
	 * in full. */
	uintptr_t full_context;
	struct registers full;
	size_t full_frame;
	bool full_is_exact;
};

/* Above this no frame of the stack that the walk is on can be: where the stack is known
 * no load faults, and elsewhere, as on a coroutine's, a wrong rule does not lead far. */
static inline uint64_t stack_top(const struct walk *walk)
{
	const struct unwind_bounds *bounds = walk->bounds;

	return walk->sp >= bounds->low && walk->sp < bounds->high
		       ? bounds->high
		       : walk->sp + FRAME_LIMIT;
}

/* unwind.c: does a call end there, of an object's code? */
bool walk_is_return_address(uint64_t pc);

/* without_rules.c: from a frame of code that has no unwind data. False: nobody knows its
 * caller. */
bool walk_without_rules(struct walk *walk, uint32_t row);

#endif
