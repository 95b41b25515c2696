/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data types of the source, from debug data. A type is read when it is first asked for,
 * and its members when they are; both are kept. Aggregates of the same name, size and
 * line are the same type: those of headers occur in many units.
 */
#ifndef LIBEXPT_TYPES_TYPE_H
#define LIBEXPT_TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/types/details.h"

enum type_kind {
	TYPE_UNKNOWN, /* without debug data, or they are damaged */
	TYPE_SCALAR,  /* numbers, characters, enumerations */
	TYPE_POINTER, /* and references */
	TYPE_ARRAY,
	TYPE_AGGREGATE, /* structures, unions and classes */
	TYPE_CODE,
};

struct type {
	enum type_kind kind;
	/* As in descriptors: "structure:foo_t", "pointer+const+char". */
	const char *name;
	uint64_t size; /* in bytes; 0: unknown */
	uint32_t line; /* of an aggregate's definition; 0: unknown */
	/* The object of a pointer; the elements of an array. NULL: nothing, or unknown.
	 */
	const struct type *target;
	bool is_floating;
	bool is_described; /* an array whose memory has the address of its elements */
};

struct types;

/* Returns the type to which a value refers; NULL: there is none, as of "void *". */
const struct type *type_of(struct types *types, const struct detail *detail);

#endif
