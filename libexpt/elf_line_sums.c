/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums are read as they stand: compilers write them as everybody does, the GNU assembler
 * backwards. */
#include "libexpt/elf_line_sums.h"

#include <dwarf.h>
#include <string.h>

static const unsigned char *skip(struct line_cursor *cursor, uint64_t size)
{
	const unsigned char *bytes = cursor->at;

	if (cursor->failed || size > (uint64_t)(cursor->end - cursor->at)) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at += size;
	return bytes;
}

static uint64_t number(struct line_cursor *cursor, unsigned size)
{
	const unsigned char *bytes = skip(cursor, size);
	uint64_t value = 0;

	for (unsigned i = 0; bytes && i < size; i++)
		value = value << 8 | bytes[cursor->is_big_endian ? i : size - 1 - i];
	return value;
}

static uint64_t leb128(struct line_cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = number(cursor, 1);

		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	cursor->failed = true;
	return 0;
}

static void skip_text(struct line_cursor *cursor)
{
	const unsigned char *end =
		memchr(cursor->at, '\0', (size_t)(cursor->end - cursor->at));

	if (end)
		cursor->at = end + 1;
	else
		cursor->failed = true;
}

/* What one field of an entry is, and how it is written. */
struct entry_field {
	uint64_t content, form;
};

struct entry_format {
	struct entry_field fields[256];
	unsigned count;
};

static void read_format(struct entry_format *format, struct line_cursor *cursor)
{
	format->count = (unsigned)number(cursor, 1);
	for (unsigned i = 0; i < format->count; i++) {
		format->fields[i].content = leb128(cursor);
		format->fields[i].form = leb128(cursor);
	}
}

static void skip_value(struct line_cursor *cursor, uint64_t form, unsigned offset_size)
{
	switch (form) {
	case DW_FORM_string:
		skip_text(cursor);
		break;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		skip(cursor, offset_size);
		break;
	case DW_FORM_udata:
	case DW_FORM_strx:
		leb128(cursor);
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		skip(cursor, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		skip(cursor, 2);
		break;
	case DW_FORM_strx3:
		skip(cursor, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		skip(cursor, 4);
		break;
	case DW_FORM_data8:
		skip(cursor, 8);
		break;
	case DW_FORM_data16:
		skip(cursor, 16);
		break;
	case DW_FORM_block:
		skip(cursor, leb128(cursor));
		break;
	default:
		cursor->failed = true;
	}
}

/* Where not all files of a table have a sum, the assembler writes zeros. */
static const unsigned char *sum_or_none(const unsigned char *md5)
{
	static const unsigned char none[MD5_SIZE];

	return md5 && memcmp(md5, none, MD5_SIZE) != 0 ? md5 : NULL;
}

/* Its MD5 sum, or NULL. */
static const unsigned char *read_entry(struct line_cursor *cursor,
				       const struct entry_format *format,
				       unsigned offset_size)
{
	const unsigned char *md5 = NULL;

	for (unsigned i = 0; i < format->count; i++) {
		const struct entry_field *field = &format->fields[i];

		if (field->content == DW_LNCT_MD5 && field->form == DW_FORM_data16)
			md5 = sum_or_none(skip(cursor, MD5_SIZE));
		else
			skip_value(cursor, field->form, offset_size);
	}
	return md5;
}

void line_head_read(struct line_head *head, const struct elf *elf,
		    const Elf_Data *section, uint64_t offset)
{
	struct line_cursor *cursor = &head->cursor;
	uint64_t length;
	unsigned opcodes;

	*head = (struct line_head){ .version = 0 };
	cursor->at = section->d_buf;
	cursor->end = cursor->at + section->d_size;
	cursor->is_big_endian = elf->header.e_ident[EI_DATA] == ELFDATA2MSB;
	skip(cursor, offset);
	length = number(cursor, 4);
	head->offset_size = length == UINT32_MAX ? 8 : 4;
	if (head->offset_size == 8)
		skip(cursor, 8);
	head->version = (unsigned)number(cursor, 2);
	if (head->version != 5)
		return;
	skip(cursor, 2); /* sizes of an address and of a segment selector */
	skip(cursor, head->offset_size);
	skip(cursor, 5); /* what the program of the table needs */
	opcodes = (unsigned)number(cursor, 1);
	skip(cursor, opcodes ? opcodes - 1 : 0);
}

bool line_head_sums(const unsigned char **sums, size_t count, struct line_head *head)
{
	struct line_cursor *cursor = &head->cursor;
	struct entry_format format;
	bool has_any = false;

	if (head->version != 5)
		return false;
	read_format(&format, cursor);
	for (uint64_t left = leb128(cursor); left > 0 && !cursor->failed; left--)
		read_entry(cursor, &format, head->offset_size);
	read_format(&format, cursor);
	leb128(cursor); /* how many: libdw has counted */
	for (size_t i = 0; i < count && !cursor->failed; i++) {
		sums[i] = read_entry(cursor, &format, head->offset_size);
		has_any |= sums[i] != NULL;
	}
	return has_any && !cursor->failed;
}
