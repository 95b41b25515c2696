/* SPDX-License-Identifier: Apache-2.0 */
/* Values of attributes. */
#ifndef LIBEXPT_DWARF_VALUE_H
#define LIBEXPT_DWARF_VALUE_H

#include "libexpt/dwarf/private.h"

/* Returns a cursor at an offset in a section of a file. */
struct cursor dwarf_cursor(const struct dwarf_file *file, enum dwarf_section section,
			   uint64_t offset);
/* Read a value; constant is that of DW_FORM_implicit_const. An unknown form makes the
 * cursor fail. */
void dwarf_value_read(struct dwarf_value *value, struct cursor *cursor, unsigned form,
		      int64_t constant, const struct dwarf_encoding *encoding);
/* Returns a text, NULL if it is not one or damaged. unit: where its strings are, or NULL
 * if there is no unit. */
const char *dwarf_value_text(const struct dwarf_value *value,
			     const struct dwarf_encoding *encoding,
			     const struct dwarf_unit *unit);
/* Get an address; false: it is not one. */
bool dwarf_value_address(uint64_t *address, const struct dwarf_value *value,
			 const struct dwarf_unit *unit);
/* Returns an entry of the address table, which split units share with the object. */
bool dwarf_indexed_address(uint64_t *address, uint64_t index,
			   const struct dwarf_unit *unit);
/* Returns the file with the entry that a value refers to, and its offset there; NULL: the
 * value is not such a reference. */
const struct dwarf_file *dwarf_value_entry(uint64_t *offset,
					   const struct dwarf_value *value,
					   const struct dwarf_unit *unit);
/* Returns a small number, or 0 if it is larger. */
uint32_t dwarf_value_small(const struct dwarf_value *value);

#endif
