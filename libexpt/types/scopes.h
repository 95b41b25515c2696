/* SPDX-License-Identifier: Apache-2.0 */
/* Name spaces and classes around types. */
#ifndef LIBEXPT_TYPES_SCOPES_H
#define LIBEXPT_TYPES_SCOPES_H

#include "libexpt/base/strbuf.h"
#include "libexpt/types/type.h"

/* A scope that has a name, or a type in it. */
struct scope_entry {
	uint64_t offset;
	const char *name; /* NULL: none */
	size_t around;	  /* index of the scope that it is in + 1; 0: none */
};

struct unit_scopes {
	const struct dwarf_unit *unit;
	struct scope_entry *items; /* by offset */
	size_t count, capacity;
};

/* Append the names of the scopes around an entry, "std::", to a text. All entries of its
 * unit are read at the first call; languages without name spaces have none. */
void scopes_write(struct strbuf *text, struct types *types, struct dwarf_unit *unit,
		  uint64_t offset);
void scopes_release(struct types *types);

#endif
