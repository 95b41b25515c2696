/* SPDX-License-Identifier: Apache-2.0 */
/* Variables in a function's frame, and whether anything else can be there. */
#ifndef LIBEXPT_ACCESSES_FRAME_H
#define LIBEXPT_ACCESSES_FRAME_H

#include "libexpt/accesses/state.h"

/* A variable in the frame, or its address. */
struct frame_variable {
	const struct variable *variable;
	int64_t start; /* from the frame address */
	bool is_indirect;
};

/* Find what is at an offset from the frame address while the code at an address runs. */
bool frame_find(struct frame_variable *out, const struct function *function,
		const struct state *state, uint64_t address, int64_t offset);

/* Tell what the variables in a function's frame can be. The code must have been read. */
void frame_contents_make(struct frame_contents *contents,
			 const struct function *function);
/* Whether all of the frame that could be an array with elements at a distance is of
 * variables. Compilers have arrays without a variable, too: those of literals and of
 * temporary objects, and what alloca() returned. */
bool frame_is_full(const struct function *function, const struct state *state,
		   const struct step *step, uint64_t distance);

#endif
