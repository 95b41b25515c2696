/* SPDX-License-Identifier: Apache-2.0 */
/* The registers and slots at a place in the code, and how instructions change them. */
#ifndef LIBEXPT_ACCESSES_STATE_H
#define LIBEXPT_ACCESSES_STATE_H

#include "libexpt/accesses/facts.h"
#include "libexpt/accesses/value.h"
#include "libexpt/instructions/step.h"
#include "libexpt/types/statics.h"
#include "libexpt/types/variables.h"

/* Stack slots without a variable that are followed: those of registers that are saved. */
#define SLOTS	  24
#define WORD_SIZE 8 /* bytes */

struct slot {
	int64_t offset;	    /* from the frame address */
	struct value value; /* VALUE_UNSEEN: the slot is free */
};

struct state {
	struct value registers[REGISTERS];
	struct slot slots[SLOTS];
};

/* The variables that a frame can have. */
struct frame_contents {
	const struct variable *only; /* NULL: there are more, or none */
	const struct type *pointer;  /* which all words are; NULL: some are others */
	int64_t lowest;		     /* bytes below the stack pointer that are used */
};

/* A function: its code, its variables, and the types that it uses. */
struct function {
	struct types *types;
	struct statics *statics;
	const struct convention *convention;
	struct facts *facts; /* that grow while the code is followed */
	struct variables variables;
	struct frame_contents contents;
	struct {
		struct step *items; /* by address */
		size_t count, capacity;
	} steps;
	bool has_other_targets; /* of jumps to anywhere */
	bool has_loading_jumps; /* jumps to where memory tells */
};

/* Returns the number of steps that begin before an address. */
static inline size_t steps_before(const struct function *function, uint64_t address)
{
	size_t low = 0, high = function->steps.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (function->steps.items[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void state_at_entry(struct state *state, const struct function *function);
/* Let a state become that after a step. */
void state_step(struct state *state, const struct function *function,
		const struct step *step);

/* Whether a step is a call that does not return. */
bool state_ends(const struct function *function, const struct step *step);

#endif
