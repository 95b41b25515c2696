/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of the debug data: where a variable is. Only the forms that say it without
 * memory and arithmetic at run time are understood. */
#ifndef LIBEXPT_TYPES_EXPRESSION_H
#define LIBEXPT_TYPES_EXPRESSION_H

#include "libexpt/types/details.h"

enum place_kind {
	PLACE_UNKNOWN,
	PLACE_REGISTER, /* the variable is in a register */
	PLACE_VALUE,	/* its value is that of a register, plus an offset */
	PLACE_FRAME,	/* in memory, at an offset from the canonical frame address */
	PLACE_MEMORY,	/* in memory, at an offset from the value of a register */
	PLACE_STATIC,	/* in memory, at an address of the object */
	PLACE_THREAD,	/* in the memory of a thread, at an offset in the object's part */
};

struct place {
	enum place_kind kind;
	unsigned number; /* of a register, by DWARF */
	int64_t offset;
	uint64_t address;
	bool is_indirect; /* the address of the variable is there */
	/* The part of the variable that is there; a size of 0: all of it. */
	uint64_t part, part_size;
};

/* Read an expression of a unit. frame: what a function's frame base is, or NULL. */
struct place expression_place(const unsigned char *bytes, uint64_t size,
			      const struct dwarf_unit *unit, const struct place *frame);
/* Take the places of all parts of a variable. false: stopped. */
typedef bool part_taker(void *context, const struct place *place);
bool expression_parts(const unsigned char *bytes, uint64_t size,
		      const struct dwarf_unit *unit, const struct place *frame,
		      part_taker *take, void *context);
/* Get the offset of a member that an expression gives; false: it depends on data. */
bool expression_member_offset(uint64_t *offset, const struct detail *detail);
/* Whether the value is an expression, not a list of them. */
bool expression_is(const struct detail *detail);

#endif
