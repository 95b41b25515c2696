/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks of one thread that mostly meet what the last one met: calls that are traced come
 * from the same few places. A walk that stands where the last one stood, with the same
 * pc, sp and, where it goes by that, bp, goes on as that one did if every word that it
 * read of the stack is the same: comparing them takes a fraction of the time. Of a few
 * leaves that take turns in one function the memory holds shortcuts: how they went on, in
 * a step or two, to those that they have in common.
 */
#ifndef COLLECTOR_UNWIND_AGAIN_H
#define COLLECTOR_UNWIND_AGAIN_H

#include "collector/unwind/unwind.h"

/* Where a walk stands. */
struct unwind_place {
	uint64_t sp, pc, bp;
};

/* And what it reads to go on. */
struct unwind_step {
	struct unwind_place at;
	const uint64_t *pc_slot; /* NULL: it does not go on */
	const uint64_t *bp_slot; /* NULL where bp stays, or does not matter */
	uint64_t uses_bp;	 /* somewhere, before it reads another */
	uint64_t call;		 /* the pc as walks tell it */
	struct unwind_word
		*words; /* which it has read, followed by those of its callers */
};

/* One of them, packed, as all are compared at each walk. */
struct unwind_word {
	const uint64_t *slot;
	uint64_t value;
};

/* A leaf, and what it read before it came to a step that others share. */
#define UNWIND_SHORTCUT_BITS  3
#define UNWIND_SHORTCUTS      (1 << UNWIND_SHORTCUT_BITS)
#define UNWIND_SHORTCUT_WORDS 4
struct unwind_shortcut {
	struct unwind_place at;
	uint64_t uses_bp;	       /* as in a step */
	uint64_t tag;		       /* of the whole stack */
	const struct unwind_word *end; /* of words */
	const struct unwind_word
		*shared; /* of the steps in common, to the end of the memory's */
	struct unwind_word words[UNWIND_SHORTCUT_WORDS];
};

struct unwind_memory {
	size_t limit; /* of steps; 0: there is no memory, and nothing is remembered */
	size_t first; /* steps from here to limit are those of the last walk, leaf first */
	uint32_t generation;	   /* of the objects, then */
	struct unwind_step *steps; /* one more than limit: it stands for the end */
	struct unwind_step *fresh; /* limit steps: of a walk under way */
	struct unwind_word
		*words; /* of steps, two for each; the last ends where all end */
	uint64_t *pcs;	/* of steps */
	struct unwind_shortcut *shortcuts;
	uint32_t joins[UNWIND_SHORTCUTS]; /* the first step in common; 0: there is no
					     shortcut */
};

/* Bytes for so many steps, zeroed, become an empty memory. */
size_t unwind_memory_size(size_t limit);
void unwind_memory_init(struct unwind_memory *memory, void *bytes, size_t limit);

/*
 * unwind_from() for whole stacks within the bounds, and within the limit: false for all
 * others. The stack is pcs from first to limit, of which fresh are not those of the last
 * walk. It has been forgotten until first is put into the memory: when all that belongs
 * to the steps is done.
 */
bool unwind_again(struct unwind_memory *memory, const struct unwind_bounds *bounds,
		  const void *frame, size_t *first, size_t *fresh);
/* What unwind_again() has found, and is in the memory, has a number, which is not 0. Has
 * the memory been forgotten since, there is no shortcut. */
void unwind_tag(struct unwind_memory *memory, size_t first, size_t fresh, uint64_t tag);
/* The number of a stack that has not changed since it was given one; 0: it may have. */
uint64_t unwind_tagged(const struct unwind_memory *memory, const void *frame);
/* Nothing is remembered. */
void unwind_memory_forget(struct unwind_memory *memory);

#endif
