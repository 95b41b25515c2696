/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks of one thread that mostly repeat the previous one: traced calls come from the
 * same few places. A walk that reaches a place of the previous one, with the same pc, sp
 * and, if it matters, bp, goes on as that one did if every stack word read from there on
 * is unchanged: comparing the words takes a fraction of the time. The memory also caches
 * shortcuts for a few leaf frames that alternate in one function: the one or two steps
 * from each to the frames they share.
 */
#ifndef COLLECTOR_UNWIND_AGAIN_H
#define COLLECTOR_UNWIND_AGAIN_H

#include "collector/unwind/unwind.h"

/* The position of a walk. */
struct unwind_place {
	uint64_t sp, pc, bp;
};

/* A position, and the words read to find its caller. */
struct unwind_step {
	struct unwind_place at;
	const uint64_t *pc_slot;   /* NULL: it has no caller */
	const uint64_t *bp_slot;   /* NULL: bp is unchanged, or does not matter */
	uint64_t uses_bp;	   /* bp matters here or in a caller that inherits it */
	uint64_t call;		   /* the pc as reported by walks */
	struct unwind_word *words; /* read here, followed by those of the callers */
};

/* A word of the stack. The words are packed, because all are compared at each walk. */
struct unwind_word {
	const uint64_t *slot;
	uint64_t value;
};

/* A leaf, and the words read before the first step that it shares with others. */
#define UNWIND_SHORTCUT_BITS  3
#define UNWIND_SHORTCUTS      (1 << UNWIND_SHORTCUT_BITS)
#define UNWIND_SHORTCUT_WORDS 4
struct unwind_shortcut {
	struct unwind_place at;
	uint64_t uses_bp;	       /* as in a step */
	uint64_t tag;		       /* of the whole stack */
	const struct unwind_word *end; /* end of words */
	const struct unwind_word
		*shared; /* words of the shared steps, to the end of the memory's */
	struct unwind_word words[UNWIND_SHORTCUT_WORDS];
};

struct unwind_memory {
	size_t limit;	     /* number of steps; 0: nothing is remembered */
	size_t first;	     /* first step of the last walk, leaf first up to limit */
	uint32_t generation; /* of the objects at that time */
	struct unwind_step *steps; /* limit + 1 steps: the last one marks the end */
	struct unwind_step *fresh; /* limit steps: those of the current walk */
	struct unwind_word
		*words; /* two for each step; the last step's end where the array ends */
	uint64_t *pcs;	/* of steps */
	struct unwind_shortcut *shortcuts;
	uint32_t joins[UNWIND_SHORTCUTS]; /* the first shared step; 0: none */
};

/* Initialise an empty memory in zeroed bytes of this size. */
size_t unwind_memory_size(size_t limit);
void unwind_memory_init(struct unwind_memory *memory, void *bytes, size_t limit);

/*
 * Like unwind_from(), but only for whole stacks within the bounds and the limit: false
 * for all others. The stack is pcs from first to limit, and the leading `fresh` of them
 * are not from the previous walk. The memory is empty until the caller stores first in
 * it, after finishing its work on the steps.
 */
bool unwind_again(struct unwind_memory *memory, const struct unwind_bounds *bounds,
		  const void *frame, size_t *first, size_t *fresh);
/* Give a number, which is not 0, to the stack that unwind_again() found and that is now
 * in the memory. If the memory has been forgotten since, no shortcut is made. */
void unwind_tag(struct unwind_memory *memory, size_t first, size_t fresh, uint64_t tag);
/* Returns the number of a stack that is unchanged since it was given one; 0: it may have
 * changed. */
uint64_t unwind_tagged(const struct unwind_memory *memory, const void *frame);
/* Forget all steps. */
void unwind_memory_forget(struct unwind_memory *memory);

#endif
