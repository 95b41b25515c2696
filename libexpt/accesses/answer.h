/* SPDX-License-Identifier: Apache-2.0 */
/* The answer for one instruction, and for its events. */
#ifndef LIBEXPT_ACCESSES_ANSWER_H
#define LIBEXPT_ACCESSES_ANSWER_H

#include "libexpt/accesses/access.h"
#include "libexpt/accesses/flow.h"

struct answer {
	const struct step *step;
	struct value value;	  /* of the operand */
	struct value base, index; /* of registers */
	/* From the frame address, if they are known. */
	int64_t stack_pointer, frame_pointer;
	bool has_stack_pointer, has_frame_pointer;
	bool is_index_number; /* the one beside the pointer is a number */
};

void answer_make(struct answer *answer, const struct function *function,
		 const struct state *state, const struct step *step);
enum access_reason answer_find(struct data_place *out, const struct answer *answer,
			       const struct function *function,
			       const struct access_event *event);

#endif
