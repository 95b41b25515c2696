/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers that are in registers by the debug data: known at their addresses, whatever
 * the code did before. */
#ifndef LIBEXPT_ACCESSES_SEEDS_H
#define LIBEXPT_ACCESSES_SEEDS_H

#include "libexpt/accesses/state.h"

struct seed {
	struct value value;
	uint8_t number; /* of the register */
	unsigned rank;	/* better ones replace others */
};

struct seeds {
	struct {
		struct seed *items;
		size_t count, capacity;
	} list;
	uint32_t *by_step; /* REGISTERS for each step: index + 1; 0: none */
};

bool seeds_make(struct seeds *seeds, const struct function *function);
/* Note what is known of the registers before a step. */
void seeds_apply(const struct seeds *seeds, const struct function *function, size_t step,
		 struct state *state);
void seeds_release(struct seeds *seeds);

#endif
