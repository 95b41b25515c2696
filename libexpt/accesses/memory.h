/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that operands access: where it is, and what is there. */
#ifndef LIBEXPT_ACCESSES_MEMORY_H
#define LIBEXPT_ACCESSES_MEMORY_H

#include "libexpt/accesses/state.h"

/* Returns where the operand of a step points in a state. */
struct value memory_operand(const struct function *function, const struct state *state,
			    const struct step *step);
/* Returns the variable in the frame at an offset from the frame address while the code at
 * an address runs, or NULL; *start: where it begins. */
const struct variable *memory_variable(const struct function *function,
				       const struct state *state, uint64_t address,
				       int64_t offset, int64_t *start);
/* As value_add() at a step, for addresses of variables too. */
struct value memory_add(const struct function *function, const struct state *state,
			const struct step *step, const struct value *a,
			const struct value *b);
/* Returns the type of the word that begins where a value points, which is not in the
 * frame, or NULL. */
const struct type *memory_type(const struct function *function,
			       const struct value *value);
/* Returns the word that a step loads. */
struct value memory_load(const struct function *function, const struct state *state,
			 const struct step *step);

#endif
