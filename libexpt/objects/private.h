/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of this directory. */
#ifndef LIBEXPT_OBJECTS_PRIVATE_H
#define LIBEXPT_OBJECTS_PRIVATE_H

#include "libexpt/objects/object.h"

/* file.c: find the file and read its symbols; object->problem is set on failure. */
void object_load(struct expt_object *object);

/* function.c: returns the row of a load object's function or gap at an offset of its
 * image; the unknown function if out of memory. */
const struct expt_function *function_at(struct expt_object *object, uint64_t offset);
/* Returns the row of dynamic code with the owner, symbol (NULL: a gap) and size of
 * wanted, and the same key: its position in its owner, or, for gaps and whole functions,
 * its address. */
const struct expt_function *function_dynamic(struct expt_object *object,
					     const struct expt_function *wanted,
					     uint64_t key);

#endif
