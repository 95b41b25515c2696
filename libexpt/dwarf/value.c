/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/value.h"

#include <dwarf.h>

/* Forms that later compilers do not use. */
#ifndef DW_FORM_GNU_addr_index
#define DW_FORM_GNU_addr_index 0x1f01
#endif

struct cursor dwarf_cursor(const struct dwarf_file *file, enum dwarf_section section,
			   uint64_t offset)
{
	const struct elf_content *content = &file->sections[section];

	return cursor_in(content->bytes, content->size, offset, file->is_big_endian);
}

/* ---- reading ----------------------------------------------------------------------- */

enum size {
	SIZE_UNKNOWN,
	SIZE_0 = 0x20, /* and the other fixed ones */
	SIZE_OFFSET = 1,
	SIZE_ADDRESS,
	SIZE_REFERENCE, /* an address before version 3, then an offset */
	SIZE_LEB,
	SIZE_SIGNED_LEB,
	SIZE_TEXT,
	SIZE_BLOCK_1, /* the size of the length */
	SIZE_BLOCK_2,
	SIZE_BLOCK_4,
	SIZE_BLOCK_LEB,
};

static const unsigned char sizes[] = {
	[DW_FORM_addr] = SIZE_ADDRESS,	     [DW_FORM_block2] = SIZE_BLOCK_2,
	[DW_FORM_block4] = SIZE_BLOCK_4,     [DW_FORM_data2] = SIZE_0 + 2,
	[DW_FORM_data4] = SIZE_0 + 4,	     [DW_FORM_data8] = SIZE_0 + 8,
	[DW_FORM_string] = SIZE_TEXT,	     [DW_FORM_block] = SIZE_BLOCK_LEB,
	[DW_FORM_block1] = SIZE_BLOCK_1,     [DW_FORM_data1] = SIZE_0 + 1,
	[DW_FORM_flag] = SIZE_0 + 1,	     [DW_FORM_sdata] = SIZE_SIGNED_LEB,
	[DW_FORM_strp] = SIZE_OFFSET,	     [DW_FORM_udata] = SIZE_LEB,
	[DW_FORM_ref_addr] = SIZE_REFERENCE, [DW_FORM_ref1] = SIZE_0 + 1,
	[DW_FORM_ref2] = SIZE_0 + 2,	     [DW_FORM_ref4] = SIZE_0 + 4,
	[DW_FORM_ref8] = SIZE_0 + 8,	     [DW_FORM_ref_udata] = SIZE_LEB,
	[DW_FORM_sec_offset] = SIZE_OFFSET,  [DW_FORM_exprloc] = SIZE_BLOCK_LEB,
	[DW_FORM_flag_present] = SIZE_0,     [DW_FORM_strx] = SIZE_LEB,
	[DW_FORM_addrx] = SIZE_LEB,	     [DW_FORM_ref_sup4] = SIZE_0 + 4,
	[DW_FORM_strp_sup] = SIZE_OFFSET,    [DW_FORM_data16] = SIZE_0 + 16,
	[DW_FORM_line_strp] = SIZE_OFFSET,   [DW_FORM_ref_sig8] = SIZE_0 + 8,
	[DW_FORM_implicit_const] = SIZE_0,   [DW_FORM_loclistx] = SIZE_LEB,
	[DW_FORM_rnglistx] = SIZE_LEB,	     [DW_FORM_ref_sup8] = SIZE_0 + 8,
	[DW_FORM_strx1] = SIZE_0 + 1,	     [DW_FORM_strx2] = SIZE_0 + 2,
	[DW_FORM_strx3] = SIZE_0 + 3,	     [DW_FORM_strx4] = SIZE_0 + 4,
	[DW_FORM_addrx1] = SIZE_0 + 1,	     [DW_FORM_addrx2] = SIZE_0 + 2,
	[DW_FORM_addrx3] = SIZE_0 + 3,	     [DW_FORM_addrx4] = SIZE_0 + 4,
};

static unsigned size_of_form(unsigned form)
{
	if (form < sizeof(sizes))
		return sizes[form];
	switch (form) {
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return SIZE_LEB;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return SIZE_OFFSET;
	default:
		return SIZE_UNKNOWN;
	}
}

static void read_fixed(struct dwarf_value *value, struct cursor *cursor, unsigned size)
{
	if (size <= 8)
		value->number = cursor_number(cursor, size);
	else
		value->bytes = cursor_skip(cursor, size);
}

static void read_block(struct dwarf_value *value, struct cursor *cursor, unsigned size)
{
	static const unsigned lengths[] = { 1, 2, 4 };

	value->number = size == SIZE_BLOCK_LEB
				? cursor_leb128(cursor)
				: cursor_number(cursor, lengths[size - SIZE_BLOCK_1]);
	value->bytes = cursor_skip(cursor, value->number);
}

static void read_sized(struct dwarf_value *value, struct cursor *cursor, unsigned size,
		       const struct dwarf_encoding *encoding)
{
	switch (size) {
	case SIZE_UNKNOWN:
		cursor->failed = true;
		break;
	case SIZE_OFFSET:
		read_fixed(value, cursor, encoding->offset_size);
		break;
	case SIZE_ADDRESS:
		read_fixed(value, cursor, encoding->address_size);
		break;
	case SIZE_REFERENCE:
		read_fixed(value, cursor,
			   encoding->version < 3 ? encoding->address_size
						 : encoding->offset_size);
		break;
	case SIZE_LEB:
		value->number = cursor_leb128(cursor);
		break;
	case SIZE_SIGNED_LEB:
		value->number = (uint64_t)cursor_signed_leb128(cursor);
		break;
	case SIZE_TEXT:
		value->text = cursor_text(cursor);
		break;
	default:
		read_block(value, cursor, size);
	}
}

void dwarf_value_read(struct dwarf_value *value, struct cursor *cursor, unsigned form,
		      int64_t constant, const struct dwarf_encoding *encoding)
{
	unsigned size;

	if (form == DW_FORM_indirect) /* once: it cannot name itself */
		form = (unsigned)cursor_leb128(cursor);
	*value = (struct dwarf_value){ .form = form, .number = (uint64_t)constant };
	size = size_of_form(form);
	if (form == DW_FORM_implicit_const)
		return;
	if (size >= SIZE_0)
		read_fixed(value, cursor, size - SIZE_0);
	else
		read_sized(value, cursor, size, encoding);
}

/* ---- texts ------------------------------------------------------------------------- */

static const char *text_at(const struct dwarf_file *file, enum dwarf_section section,
			   uint64_t offset)
{
	struct cursor cursor = dwarf_cursor(file, section, offset);

	return cursor_text(&cursor);
}

/* Get an item of a table of numbers in a section. */
static bool item_at(uint64_t *item, const struct dwarf_file *file,
		    enum dwarf_section section, uint64_t base, uint64_t index,
		    unsigned size)
{
	uint64_t offset;
	struct cursor cursor;

	if (__builtin_mul_overflow(index, size, &offset) ||
	    __builtin_add_overflow(offset, base, &offset))
		return false;
	cursor = dwarf_cursor(file, section, offset);
	*item = cursor_number(&cursor, size);
	return !cursor.failed;
}

static const char *indexed_text(const struct dwarf_value *value,
				const struct dwarf_unit *unit)
{
	const struct dwarf_encoding *encoding = &unit->encoding;
	uint64_t offset;

	if (!item_at(&offset, encoding->file, DWARF_STRING_OFFSETS, unit->string_base,
		     value->number, encoding->offset_size))
		return NULL;
	return text_at(encoding->file, DWARF_STRINGS, offset);
}

const char *dwarf_value_text(const struct dwarf_value *value,
			     const struct dwarf_encoding *encoding,
			     const struct dwarf_unit *unit)
{
	switch (value->form) {
	case DW_FORM_string:
		return value->text;
	case DW_FORM_strp:
		return text_at(encoding->file, DWARF_STRINGS, value->number);
	case DW_FORM_line_strp:
		return text_at(encoding->file, DWARF_LINE_STRINGS, value->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return text_at(&encoding->file->dwarf->common, DWARF_STRINGS,
			       value->number);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return unit ? indexed_text(value, unit) : NULL;
	default:
		return NULL;
	}
}

/* ---- addresses and references ------------------------------------------------------ */

bool dwarf_indexed_address(uint64_t *address, uint64_t index,
			   const struct dwarf_unit *unit)
{
	const struct dwarf_unit *owner = unit->skeleton ? unit->skeleton : unit;

	return item_at(address, owner->encoding.file, DWARF_ADDRESSES,
		       owner->address_base, index, owner->encoding.address_size);
}

bool dwarf_value_address(uint64_t *address, const struct dwarf_value *value,
			 const struct dwarf_unit *unit)
{
	switch (value->form) {
	case DW_FORM_addr:
		*address = value->number;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return dwarf_indexed_address(address, value->number, unit);
	default:
		return false;
	}
}

const struct dwarf_file *dwarf_value_entry(uint64_t *offset,
					   const struct dwarf_value *value,
					   const struct dwarf_unit *unit)
{
	const struct dwarf_file *file = unit->encoding.file;

	*offset = value->number;
	switch (value->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return __builtin_add_overflow(value->number, unit->offset, offset) ? NULL
										   : file;
	case DW_FORM_ref_addr:
		return file;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		return &file->dwarf->common;
	default:
		return NULL;
	}
}

uint32_t dwarf_value_small(const struct dwarf_value *value)
{
	return value->number <= INT32_MAX ? (uint32_t)value->number : 0;
}
