/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a walk, and its steps, for the files that make them. */
#ifndef COLLECTOR_UNWIND_PRIVATE_H
#define COLLECTOR_UNWIND_PRIVATE_H

#include "collector/unwind/rows.h"
#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

#define FRAME_LIMIT (UINT64_C(1) << 26) /* bytes of a stack with unknown bounds */

struct walk {
	uint64_t *pcs;
	size_t limit, count;
	const struct unwind_bounds *bounds;
	/* The current frame. is_exact: pc was interrupted and is not a return address. */
	uint64_t pc, sp, bp;
	bool is_exact;
	/* The program was interrupted, not called: a fault is then not blocked, and is
	 * worth its time. */
	bool may_fault;
	/* Frames without rules were passed: the next pc need not be code, nor be
	 * mapped. */
	bool is_guessed;
	/* All registers known at frame full_frame: in a ucontext, or in full. */
	uintptr_t full_context;
	struct registers full;
	size_t full_frame;
	bool full_is_exact;
};

/* Returns the upper limit for frames of the walk's stack. On a known stack no load
 * faults; elsewhere, as on a coroutine's, a wrong rule does not lead far. */
static inline uint64_t stack_top(const struct walk *walk)
{
	const struct unwind_bounds *bounds = walk->bounds;

	return walk->sp >= bounds->low && walk->sp < bounds->high
		       ? bounds->high
		       : walk->sp + FRAME_LIMIT;
}

row_entry *unwind_rows(void); /* the current table, or NULL */

/*
 * make.c: returns the row at an address, which is pc itself if it was interrupted. For a
 * caller it is pc - 1, because the call may be the last instruction of its function. Rows
 * of code outside all objects are made at each visit, because nothing reports when that
 * code changes. It is examined only for the length of the call, if may_look is true.
 */
uint32_t rows_make(row_entry *rows, uintptr_t address, uintptr_t pc, bool may_look);

/* without_rules.c: step from a frame of code without unwind data. False: its caller is
 * unknown. */
bool walk_without_rules(struct walk *walk, uint32_t row);

#endif
