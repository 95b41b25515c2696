/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that operands access: where it is, and what is there. */
#ifndef LIBEXPT_ACCESSES_MEMORY_H
#define LIBEXPT_ACCESSES_MEMORY_H

#include "libexpt/accesses/state.h"

/* Returns where the operand of a step points in a state. */
struct value memory_operand(const struct function *function, const struct state *state,
			    const struct step *step);
/* Returns the pointer to an element of an array, if an address is in one. */
struct value memory_place(const struct function *function, const struct value *address);
/* As value_add() at a step, for addresses of variables too. */
struct value memory_add(const struct function *function, const struct state *state,
			const struct step *step, const struct value *a,
			const struct value *b);
/* Returns the type of the word that begins where a value points, which is not in the
 * frame, or NULL. */
const struct type *memory_type(const struct function *function,
			       const struct value *value);
/* Returns the word at an offset in a value of a type. */
struct value memory_word(const struct function *function, const struct type *type,
			 uint64_t offset);
/* Returns the word that a step loads. */
struct value memory_load(const struct function *function, const struct state *state,
			 const struct step *step);

#endif
