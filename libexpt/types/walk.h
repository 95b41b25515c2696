/* SPDX-License-Identifier: Apache-2.0 */
/* The way from an aggregate or array to the member at an offset. */
#ifndef LIBEXPT_TYPES_WALK_H
#define LIBEXPT_TYPES_WALK_H

#include "libexpt/types/type.h"

/* A step: a member, or the elements of an array, which have no name. */
struct walk_step {
	const char *name; /* "-": none */
	const struct type *type;
	uint64_t offset; /* of the step in the outermost type */
	uint64_t size;
	bool is_bit_field;
};

#define WALK_MAX 32

struct walk {
	struct walk_step steps[WALK_MAX];
	size_t count;
};

/* Walk to the innermost member at the offset; it ends at padding, where bit-fields share
 * the bytes of the access, and at arrays of bytes of which several are accessed: they may
 * be room for something else. Returns the innermost type. */
const struct type *walk_down(struct walk *walk, struct types *types,
			     const struct type *type, uint64_t offset, uint64_t size);

/* Returns the type of the pointer at an offset, or of the array that is described there;
 * NULL: there is none, or members that overlap have others, or numbers of that size. */
const struct type *walk_pointer(struct types *types, const struct type *type,
				uint64_t offset);

/* Returns the class with which objects of two types begin, the largest, or NULL. */
const struct type *walk_common(struct types *types, const struct type *one,
			       const struct type *other);

#endif
