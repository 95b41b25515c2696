/* SPDX-License-Identifier: Apache-2.0 */
/* Variables at addresses of an object: those of files, of functions and of classes. */
#ifndef LIBEXPT_TYPES_STATICS_H
#define LIBEXPT_TYPES_STATICS_H

#include "libexpt/types/variables.h"

struct static_variable {
	uint64_t address, end; /* in the object's file */
	struct dwarf_unit *unit;
	uint64_t offset; /* of its entry */
	bool is_read;
	struct variable variable; /* type NULL: unknown */
};

struct statics {
	struct {
		struct static_variable
			*items; /* by address, of the units that were read */
		size_t count, capacity;
	} list;
	bool has_all;
};

/* Returns the variable at an address of the object's file, or NULL. All units are read at
 * the first call. */
const struct variable *statics_find(struct statics *statics, struct types *types,
				    uint64_t address, uint64_t *start);
void statics_release(struct statics *statics);

#endif
