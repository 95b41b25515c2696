/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and results of functions. */
#ifndef LIBEXPT_TYPES_CALLEE_H
#define LIBEXPT_TYPES_CALLEE_H

#include "libexpt/types/type.h"

#define CALLEE_PARAMETERS 6

/* A number or address that is passed. Compilers give functions that only they call other
 * conventions, so the debug data must say where it is. */
struct parameter {
	const struct type *type; /* NULL: unknown */
	int number; /* of the register, or PARAMETER_ELSEWHERE, or PARAMETER_IN_ORDER:
		     * code that is not optimised takes it as all functions do */
};
#define PARAMETER_ELSEWHERE (-1)
#define PARAMETER_IN_ORDER  (-2)

struct callee {
	const struct type *returned; /* NULL: nothing, or unknown */
	/* Up to the first that is neither; floating-point numbers are left out. */
	struct parameter parameters[CALLEE_PARAMETERS];
	size_t count;
	bool is_noreturn;
	const struct parameter *result; /* it is always this one; NULL: it is none */
};

/* Returns the function at an address of the object's file, or NULL. */
const struct callee *callee_at(struct types *types, uint64_t address);
/* The same for a call through a slot of the global offset table at an address. */
const struct callee *callee_through(struct types *types, uint64_t slot);
void callees_release(struct types *types);

/* Find the entry of the function with the code at an address, whatever is inlined there.
 * Returns its unit; NULL: there is none. */
struct dwarf_unit *callee_entry(struct types *types, uint64_t address, uint64_t *entry);

#endif
