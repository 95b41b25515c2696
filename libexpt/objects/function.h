/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of functions: one for each function of an object and each gap between them. */
#ifndef LIBEXPT_OBJECTS_FUNCTION_H
#define LIBEXPT_OBJECTS_FUNCTION_H

#include "libexpt/objects/object.h"

/* Add a row, a copy of like, and store its index in the slot of its key; NULL if out of
 * memory. */
struct expt_function *function_add(struct expt_object *object, uint32_t *slot,
				   const struct expt_function *like);
/* Returns the row of a load object's function or gap at an offset of its
 * image; the unknown function if out of memory. */
const struct expt_function *function_at(struct expt_object *object, uint64_t offset);
/* Returns the row of dynamic code with the owner, symbol (NULL: a gap) and size of
 * wanted, and the same key: its position in its owner, or, for gaps and whole functions,
 * its address. */
const struct expt_function *function_dynamic(struct expt_object *object,
					     const struct expt_function *wanted,
					     uint64_t key);
/* Returns the row of code made at run time, the same wherever it was made again, also
 * with another size: that with the symbol of wanted, which is copied. */
const struct expt_function *function_made(struct expt_object *object,
					  const struct expt_function *wanted);
/* Set the source and the lines of dynamic code; text may be NULL. */
void function_set_lines(struct expt_function *function, const char *source,
			const struct dynamic_lines *text);
/* Returns a new row of an inlined function with this symbol and source file, or NULL. */
const struct expt_function *function_inlined(struct expt_object *object,
					     const char *symbol, const char *source);

#endif
