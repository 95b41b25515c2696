/* SPDX-License-Identifier: Apache-2.0 */
/* Members of aggregates. */
#ifndef LIBEXPT_TYPES_MEMBERS_H
#define LIBEXPT_TYPES_MEMBERS_H

#include "libexpt/types/type.h"

struct type_member {
	const char *name; /* "-": none, as of base classes and anonymous unions */
	const struct type *type;
	uint64_t offset, size; /* of the bytes that it is in */
	bool is_bit_field;
	uint32_t order; /* of those at the same offset */
	uint64_t reach; /* the furthest end of the members up to this one */
};

/* Get the members of an aggregate, by ascending offset; those of a union, and of the
 * variants of a Rust enumeration, overlap. Returns their number. */
size_t type_members(struct types *types, const struct type *type,
		    const struct type_member **members);

#endif
