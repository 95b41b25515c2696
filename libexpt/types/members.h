/* SPDX-License-Identifier: Apache-2.0 */
/* Members of aggregates. */
#ifndef LIBEXPT_TYPES_MEMBERS_H
#define LIBEXPT_TYPES_MEMBERS_H

#include "libexpt/types/type.h"

struct type_member {
	const char *name; /* "-": none, as of base classes and anonymous unions */
	const struct type *type;
	/* The bytes that it is in: those of a base class end at the last member, as the
	 * next member may be in the same ones as its padding. */
	uint64_t offset, size;
	bool is_bit_field;
	bool is_variant;  /* what is there instead of the other variants */
	bool is_selector; /* says which of them is there; it may be in one of them */
	uint32_t order;	  /* of those at the same offset */
	uint64_t reach;	  /* the furthest end of the members up to this one */
};

/* Get the members of an aggregate, by ascending offset; those of a union, and of the
 * variants of a Rust enumeration, overlap. Returns their number. */
size_t type_members(struct types *types, const struct type *type,
		    const struct type_member **members);
/* Returns true if an aggregate has members whose places depend on the object: virtual
 * base classes. Call after type_members(). */
bool type_has_moving(const struct type *type);

#endif
