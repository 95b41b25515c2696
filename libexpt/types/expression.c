/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/expression.h"

#include <dwarf.h>

#include "libexpt/dwarf/value.h"
#include "libexpt/elf/cursor.h"

/* Variables in parts are small. */
#define PART_MAX 65536

#ifndef DW_OP_GNU_addr_index
#define DW_OP_GNU_addr_index 0xfb
#endif

/* More operations than compilers need for a place that is known. */
#define OPERATIONS_MAX 16

bool expression_is(const struct detail *detail)
{
	switch (detail->value.form) {
	case DW_FORM_exprloc:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
		return detail->value.bytes != NULL;
	default:
		return false;
	}
}

static struct cursor begin(const unsigned char *bytes, uint64_t size,
			   const struct dwarf_unit *unit)
{
	return cursor_in(bytes, (size_t)size, 0, unit->encoding.file->is_big_endian);
}

bool expression_member_offset(uint64_t *offset, const struct detail *detail)
{
	struct cursor cursor;
	uint64_t operation;

	if (!expression_is(detail))
		return false;
	cursor = begin(detail->value.bytes, detail->value.number, detail->unit);
	operation = cursor_number(&cursor, 1);
	*offset = cursor_leb128(&cursor);
	return operation == DW_OP_plus_uconst && !cursor.failed &&
	       cursor.at == cursor.end;
}

/* ---- the first operation: a place -------------------------------------------------- */

static struct place of_frame(const struct place *frame, int64_t offset)
{
	struct place place = { .kind = PLACE_UNKNOWN };

	if (!frame)
		return place;
	place = *frame;
	if (place.kind == PLACE_REGISTER)
		place.kind = PLACE_MEMORY;
	if (__builtin_add_overflow(place.offset, offset, &place.offset))
		place.kind = PLACE_UNKNOWN;
	return place;
}

static struct place in_register(uint64_t number)
{
	return (struct place){ .kind = PLACE_REGISTER, .number = (unsigned)number };
}

static struct place at_register(uint64_t number, int64_t offset)
{
	return (struct place){ .kind = PLACE_MEMORY,
			       .number = (unsigned)number,
			       .offset = offset };
}

static struct place at_index(uint64_t index, const struct dwarf_unit *unit)
{
	struct place place = { .kind = PLACE_STATIC };

	if (!dwarf_indexed_address(&place.address, index, unit))
		place.kind = PLACE_UNKNOWN;
	return place;
}

/* A constant before an operation that makes it an address in a thread's memory. */
static struct place in_thread(uint64_t offset, struct cursor *cursor)
{
	uint64_t operation = cursor_number(cursor, 1);

	if (operation != DW_OP_form_tls_address &&
	    operation != DW_OP_GNU_push_tls_address)
		return (struct place){ .kind = PLACE_UNKNOWN };
	return (struct place){ .kind = PLACE_THREAD, .offset = (int64_t)offset };
}

static struct place first_place(struct cursor *cursor, const struct dwarf_unit *unit,
				const struct place *frame)
{
	uint64_t operation = cursor_number(cursor, 1), number;

	if (operation >= DW_OP_reg0 && operation <= DW_OP_reg31)
		return in_register(operation - DW_OP_reg0);
	if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31)
		return at_register(operation - DW_OP_breg0, cursor_signed_leb128(cursor));
	switch (operation) {
	case DW_OP_regx:
		return in_register(cursor_leb128(cursor));
	case DW_OP_bregx:
		number = cursor_leb128(cursor);
		return at_register(number, cursor_signed_leb128(cursor));
	case DW_OP_fbreg:
		return of_frame(frame, cursor_signed_leb128(cursor));
	case DW_OP_call_frame_cfa:
		return (struct place){ .kind = PLACE_FRAME };
	case DW_OP_addr:
		number = cursor_number(cursor, unit->encoding.address_size);
		return (struct place){ .kind = PLACE_STATIC, .address = number };
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return at_index(cursor_leb128(cursor), unit);
	case DW_OP_const4u:
		return in_thread(cursor_number(cursor, 4), cursor);
	case DW_OP_const8u:
		return in_thread(cursor_number(cursor, 8), cursor);
	default:
		return (struct place){ .kind = PLACE_UNKNOWN };
	}
}

/* ---- what follows ------------------------------------------------------------------ */

static void add(struct place *place, uint64_t number)
{
	bool is_good =
		place->kind == PLACE_STATIC
			? !__builtin_add_overflow(place->address, number, &place->address)
			: !__builtin_add_overflow(place->offset, (int64_t)number,
						  &place->offset);

	if (!is_good || place->kind == PLACE_REGISTER)
		place->kind = PLACE_UNKNOWN;
}

/* Read up to the end, or the end of a part. */
static struct place read_place(struct cursor *cursor, const struct dwarf_unit *unit,
			       const struct place *frame)
{
	struct place place = first_place(cursor, unit, frame);
	unsigned count = 0;

	while (place.kind != PLACE_UNKNOWN && !cursor->failed &&
	       cursor->at < cursor->end) {
		uint64_t operation = cursor_number(cursor, 1);

		if (operation == DW_OP_piece) {
			place.part_size = cursor_leb128(cursor);
			break;
		}
		if (place.is_indirect || ++count == OPERATIONS_MAX)
			place.kind = PLACE_UNKNOWN;
		else if (operation == DW_OP_plus_uconst)
			add(&place, cursor_leb128(cursor));
		else if (operation == DW_OP_stack_value && place.kind == PLACE_MEMORY)
			place.kind = PLACE_VALUE;
		else if (operation == DW_OP_deref && place.kind != PLACE_REGISTER)
			place.is_indirect = true;
		else
			place.kind = PLACE_UNKNOWN;
	}
	if (cursor->failed)
		place.kind = PLACE_UNKNOWN;
	return place;
}

struct place expression_place(const unsigned char *bytes, uint64_t size,
			      const struct dwarf_unit *unit, const struct place *frame)
{
	struct cursor cursor = begin(bytes, size, unit);
	struct place place = read_place(&cursor, unit, frame);

	if (place.part_size > 0)
		place.kind = PLACE_UNKNOWN;
	return place;
}

/* Skip parts that are nowhere. */
static void skip_parts(struct cursor *cursor, uint64_t *part)
{
	while (cursor->at < cursor->end && *cursor->at == DW_OP_piece) {
		cursor->at++;
		*part += cursor_leb128(cursor);
	}
}

bool expression_parts(const unsigned char *bytes, uint64_t size,
		      const struct dwarf_unit *unit, const struct place *frame,
		      part_taker *take, void *context)
{
	struct cursor cursor = begin(bytes, size, unit);
	uint64_t part = 0;

	for (;;) {
		struct place place;

		skip_parts(&cursor, &part);
		if (cursor.failed || cursor.at >= cursor.end || part > PART_MAX)
			return true;
		place = read_place(&cursor, unit, frame);
		/* An operation that is not understood hides all after it. */
		if (place.kind == PLACE_UNKNOWN || place.part_size > PART_MAX)
			return true;
		place.part = part;
		if (!take(context, &place))
			return false;
		if (place.part_size == 0)
			return true;
		part += place.part_size;
	}
}
