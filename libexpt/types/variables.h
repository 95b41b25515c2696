/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of a function, those of functions inlined into it included, and where they
 * are while its code runs. */
#ifndef LIBEXPT_TYPES_VARIABLES_H
#define LIBEXPT_TYPES_VARIABLES_H

#include "libexpt/types/expression.h"
#include "libexpt/types/type.h"

struct variable {
	const char *name; /* never NULL */
	const struct type *type;
	unsigned level; /* of nesting; inner variables hide outer ones */
};

/* While the code from low up to high runs, the variable is there. */
struct variable_place {
	uint64_t low, high; /* addresses in the object's file */
	size_t variable;
	struct place place;
};

/* The type of what a call returns. */
struct variable_call {
	uint64_t back; /* address of the instruction after the call */
	const struct type *type;
};

struct variables {
	struct {
		struct variable *items;
		size_t count, capacity;
	} list;
	struct {
		struct variable_place *items; /* inner ones after outer ones */
		size_t count, capacity;
	} places;
	struct {
		struct variable_call *items;
		size_t count, capacity;
	} calls;	     /* that return something */
	bool has_debug_data; /* an entry describes the function */
};

/* Read the variables of the function at an image offset; false: out of memory. */
bool variables_read(struct variables *variables, struct types *types, uint64_t offset);
void variables_release(struct variables *variables);

#endif
