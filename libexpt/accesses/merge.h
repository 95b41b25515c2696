/* SPDX-License-Identifier: Apache-2.0 */
/* Where ways through the code meet. */
#ifndef LIBEXPT_ACCESSES_MERGE_H
#define LIBEXPT_ACCESSES_MERGE_H

#include "libexpt/accesses/state.h"

/* Returns what is known of a value that is one or the other. */
struct value merge_values(const struct function *function, const struct value *a,
			  const struct value *b);
/* true: it changed. */
bool merge_states(struct state *into, const struct function *function,
		  const struct state *from);

#endif
