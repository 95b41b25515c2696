/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/elf/cursor.h"

#include <dwarf.h>
#include <endian.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 16)

struct cursor cursor_in(const void *bytes, size_t size, uint64_t offset,
			bool is_big_endian)
{
	struct cursor cursor = {
		.at = bytes,
		.end = size > 0 ? (const unsigned char *)bytes + size : bytes,
		.is_big_endian = is_big_endian,
	};

	cursor_skip(&cursor, offset);
	return cursor;
}

const unsigned char *cursor_skip(struct cursor *cursor, uint64_t size)
{
	const unsigned char *bytes = cursor->at;

	if (cursor->failed || size > (uint64_t)(cursor->end - cursor->at)) {
		cursor->failed = true;
		return NULL;
	}
	if (size > 0) /* an empty section has no bytes to point to */
		cursor->at += size;
	return bytes;
}

static uint64_t odd_number(const unsigned char *bytes, unsigned size, bool is_big_endian)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | bytes[is_big_endian ? i : size - 1 - i];
	return value;
}

/* Most of the time that reading debug data takes is spent here. */
uint64_t cursor_number(struct cursor *cursor, unsigned size)
{
	const unsigned char *bytes = cursor_skip(cursor, size);
	uint64_t value = 0;

	if (!bytes || size == 0)
		return 0;
	if (size == 1)
		return *bytes;
	if (cursor->is_big_endian || (size != 2 && size != 4 && size != 8))
		return odd_number(bytes, size, cursor->is_big_endian);
	if (size == 2)
		memcpy(&value, bytes, 2);
	else if (size == 4)
		memcpy(&value, bytes, 4);
	else
		memcpy(&value, bytes, 8);
	return le64toh(value);
}

uint64_t cursor_leb128(struct cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
		uint64_t byte = *cursor->at++;

		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return cursor->failed ? 0 : value;
	}
	cursor->failed = true;
	return 0;
}

int64_t cursor_signed_leb128(struct cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = cursor_number(cursor, 1);

		value |= (byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (byte & 0x40 && shift + 7 < 64)
			value |= UINT64_MAX << (shift + 7);
		return (int64_t)value;
	}
	cursor->failed = true;
	return 0;
}

uint64_t cursor_length(struct cursor *cursor, unsigned *offset_size)
{
	uint64_t length = cursor_number(cursor, 4);

	*offset_size = length == UINT32_MAX ? 8 : 4;
	return *offset_size == 8 ? cursor_number(cursor, 8) : length;
}

const char *cursor_text(struct cursor *cursor)
{
	const unsigned char *text = cursor->at, *end;
	size_t left = (size_t)(cursor->end - cursor->at);

	if (cursor->failed || left == 0)
		end = NULL;
	else
		end = memchr(text, '\0', left < TEXT_MAX ? left : TEXT_MAX);
	if (!end) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at = end + 1;
	return (const char *)text;
}

void cursor_skip_value(struct cursor *cursor, uint64_t form, unsigned offset_size)
{
	switch (form) {
	case DW_FORM_flag_present:
		break;
	case DW_FORM_string:
		cursor_text(cursor);
		break;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_sec_offset:
		cursor_skip(cursor, offset_size);
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_addr_index:
		cursor_leb128(cursor);
		break;
	case DW_FORM_flag:
	case DW_FORM_data1:
	case DW_FORM_strx1:
		cursor_skip(cursor, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		cursor_skip(cursor, 2);
		break;
	case DW_FORM_strx3:
		cursor_skip(cursor, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		cursor_skip(cursor, 4);
		break;
	case DW_FORM_data8:
		cursor_skip(cursor, 8);
		break;
	case DW_FORM_data16:
		cursor_skip(cursor, 16);
		break;
	case DW_FORM_block:
		cursor_skip(cursor, cursor_leb128(cursor));
		break;
	default:
		cursor->failed = true;
	}
}
