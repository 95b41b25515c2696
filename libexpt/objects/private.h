/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of load objects share. */
#ifndef LIBEXPT_OBJECTS_PRIVATE_H
#define LIBEXPT_OBJECTS_PRIVATE_H

#include "libexpt/objects/object.h"

/* file.c: find the file and read its symbols; what went wrong is in object->problem. */
void object_load(struct expt_object *object);

/* function.c: the row of a load object's function or gap at an offset of its image. The
 * unknown function when out of memory. */
const struct expt_function *function_at(struct expt_object *object, uint64_t offset);
/* The row of dynamic code that is like wanted: same owner, symbol (NULL: a gap) and size,
 * and same key, which is its place in its owner, or its address where that makes a
 * difference. */
const struct expt_function *function_dynamic(struct expt_object *object,
					     const struct expt_function *wanted,
					     uint64_t key);

#endif
