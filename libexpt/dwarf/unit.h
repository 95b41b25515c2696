/* SPDX-License-Identifier: Apache-2.0 */
/* Units: the debug data of one source file with what it includes. */
#ifndef LIBEXPT_DWARF_UNIT_H
#define LIBEXPT_DWARF_UNIT_H

#include "libexpt/dwarf/private.h"

/* Where the parts of a unit begin in the sections of a package; zeros elsewhere. */
struct dwarf_contributions {
	uint64_t abbreviations, lines, string_offsets, range_lists, locations;
};

/* Read the head of the unit at an offset of its section. Returns NULL if it is damaged,
 * or out of memory. */
struct dwarf_unit *dwarf_unit_read(struct dwarf_file *file, uint64_t offset,
				   const struct dwarf_contributions *contributions);
/* Read the heads of all units of a file. 0 or -ENOMEM; damaged units, and those after
 * them, are left out. */
int dwarf_units_read(struct dwarf_file *file);
/* Returns the unit with the entry at an offset, or NULL. */
struct dwarf_unit *dwarf_unit_find(const struct dwarf_file *file, uint64_t offset);

#endif
