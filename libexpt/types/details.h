/* SPDX-License-Identifier: Apache-2.0 */
/* One entry of the debug data, with the entries that it refers to for what it lacks. */
#ifndef LIBEXPT_TYPES_DETAILS_H
#define LIBEXPT_TYPES_DETAILS_H

#include "libexpt/dwarf/entry.h"

/* A value, and the unit to which its references and indexes belong; form 0: the entry has
 * no such attribute. */
struct detail {
	struct dwarf_value value;
	struct dwarf_unit *unit;
};

struct details {
	unsigned tag;
	bool has_children, is_declaration, is_static, has_const_value, is_noreturn;
	const char *name, *linkage_name; /* or NULL */
	uint32_t line;
	struct dwarf_unit *unit;
	struct detail type, location, frame_base;
	struct detail size, member_location, bit_size, bit_offset, data_bit_offset;
	struct detail count, lower_bound, upper_bound, data_location, language, encoding;
	struct detail call_return, call_origin;
	struct dwarf_extent extent;
	struct dwarf_value next; /* the entry with what this one lacks */
};

/* Read an entry. false: there is none, or it is damaged. */
bool details_read(struct details *details, struct dwarf_unit *unit, uint64_t offset);
/* The same for an entry that was begun. */
void details_take(struct details *details, struct dwarf_unit *unit,
		  struct dwarf_entry *entry);
/* Get a constant; false: it is not one. */
bool detail_number(uint64_t *number, const struct detail *detail);
/* Find the entry to which a value refers. */
bool detail_entry(struct dwarf_unit **unit, uint64_t *offset,
		  const struct detail *detail);

#endif
