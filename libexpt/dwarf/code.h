/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a unit by their addresses, with those inlined into them. */
#ifndef LIBEXPT_DWARF_CODE_H
#define LIBEXPT_DWARF_CODE_H

#include "libexpt/dwarf/private.h"

/* An instance of a function, or of an inlined one, with the place of its call. */
struct dwarf_instance {
	uint64_t entry;
	uint32_t parent; /* SPAN_NONE: there is none */
	bool is_inlined, has_function;
	uint32_t call_file, call_line, call_column;
	const struct dwarf_function *function; /* once it was asked for */
};

struct dwarf_code {
	struct dwarf_unit *unit; /* which has the entries */
	struct {
		struct dwarf_instance *items; /* each after those around it */
		size_t count, capacity;
	} instances;
	struct spans spans; /* by index of the instance */
};

/* Returns the functions of a unit, read at the first call, or NULL. */
struct dwarf_code *dwarf_unit_code(struct dwarf_unit *unit);
void dwarf_code_free(struct dwarf_code *code);
/* Returns the function of an instance, or NULL. */
const struct dwarf_function *dwarf_instance_function(const struct dwarf_code *code,
						     struct dwarf_instance *instance);

#endif
