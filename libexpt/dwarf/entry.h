/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a unit: its functions, types and variables. */
#ifndef LIBEXPT_DWARF_ENTRY_H
#define LIBEXPT_DWARF_ENTRY_H

#include "libexpt/dwarf/private.h"

struct dwarf_entry {
	const struct dwarf_unit *unit;
	uint64_t offset;
	unsigned tag;		    /* 0: the end of a list of children */
	bool has_children, is_read; /* to the last attribute */
	struct cursor attributes, values;
};

/* Where to read the entries of a unit. */
struct dwarf_entries {
	const struct dwarf_unit *unit;
	const struct dwarf_abbreviations *abbreviations;
	struct cursor cursor;
};

/* Begin at an offset of the section. False: out of memory, or damaged. */
bool dwarf_entries_begin(struct dwarf_entries *entries, const struct dwarf_unit *unit,
			 uint64_t offset);
/* Read the next entry; the one before it must have been read to its last attribute.
 * False: the end, or damage, or too many were read. */
bool dwarf_entry_next(struct dwarf_entry *entry, struct dwarf_entries *entries);
/* Get the next attribute of the entry. False: there are no more. */
bool dwarf_attribute_next(unsigned *name, struct dwarf_value *value,
			  struct dwarf_entry *entry);
/* Count work on entries of a unit's file; see entry_budget. */
void dwarf_entry_spend(const struct dwarf_unit *unit, uint64_t amount);
/* Read the remaining attributes, and move on to the next entry. */
void dwarf_entry_finish(struct dwarf_entry *entry, struct dwarf_entries *entries);

#endif
