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
	bool is_parameter;
	unsigned level; /* of nesting; inner variables hide outer ones */
};

/* While the code from low up to high runs, the variable is there. */
struct variable_place {
	uint64_t low, high; /* addresses in the object's file */
	size_t variable;
	struct place place;
};

/* The function that a call calls. */
struct variable_call {
	uint64_t back; /* address of the instruction after the call */
	uint32_t order;
	bool is_noreturn;
	const struct type *type; /* of what it returns; NULL: nothing */
};

/* The code in which some places hold. */
struct variable_bounds {
	uint64_t low, high;
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
		uint32_t *items; /* indexes of places in memory, of a known type */
		size_t count, capacity;
	} in_memory;
	struct {
		struct variable_bounds *items; /* of each few of these */
		size_t count, capacity;
	} bounds;
	struct {
		struct variable_call *items; /* by address */
		size_t count, capacity;
	} calls;	     /* of which the function is known */
	bool has_debug_data; /* an entry describes the function */
	bool is_plain;	     /* each has one place in memory: code is not optimised */
	bool is_variadic;    /* it has parameters without an entry */
};

/* Read the variables of the function at an image offset; false: out of memory. */
bool variables_read(struct variables *variables, struct types *types, uint64_t offset);
void variables_release(struct variables *variables);

/* A search for the places in memory that hold at an address of code. */
struct variable_search {
	uint64_t address;
	size_t next;	/* the places before this one are left */
	uint64_t looks; /* that it took */
};

struct variable_search variables_search(const struct variables *variables,
					uint64_t address);
/* Returns the next place, inner ones first; NULL: there are no more, or too many. */
const struct variable_place *variables_next(const struct variables *variables,
					    struct variable_search *search);
/* Returns the call before an address, or NULL. */
const struct variable_call *variables_call(const struct variables *variables,
					   uint64_t back);

#endif
