/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments and groups that were named to be loaded: groups of a comparison. */
#ifndef ER_PRINT_SESSION_OPERANDS_H
#define ER_PRINT_SESSION_OPERANDS_H

#include "libexpt/expt.h"

struct operands {
	struct operand {
		char *name; /* without directories: "test.1.er", "runs.erg" */
		size_t group;
	} * items;
	size_t count, capacity;
	struct {
		struct founder {
			const struct expt *expt;
			size_t operand;
		} * items;
		size_t count, capacity;
	} founders; /* in the order of loading, with those that were dropped */
};

/* Note that the experiments from the first one on belong to the operand. false: out of
 * memory. */
bool operands_add(struct operands *operands, const struct expt_view *view, size_t first,
		  const char *path);
/* Group the view's experiments by operand, or all in one group. */
void operands_group(struct operands *operands, struct expt_view *view, bool apart);
const char *operands_group_name(const struct operands *operands, size_t group);
void operands_release(struct operands *operands);

#endif
