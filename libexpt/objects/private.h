/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of this directory. */
#ifndef LIBEXPT_OBJECTS_PRIVATE_H
#define LIBEXPT_OBJECTS_PRIVATE_H

#include "libexpt/objects/object.h"

/* file.c: find the file and read its symbols; object->problem is set on failure. */
void object_load(struct expt_object *object);

/* file.c: open the file with the code of an object; -ENOENT, with the reason: there is
 * none. The caller closes it. */
int object_open_code(struct elf **out, struct expt_object *object,
		     struct expt_error *err);

/* function.c */
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

/* dynamic_code.c: read the code of a dynamic function; -ENOENT: it was not recorded. */
int dynamic_code_read(struct expt_code *code, const struct expt_function *function,
		      struct expt_error *err);

#endif
