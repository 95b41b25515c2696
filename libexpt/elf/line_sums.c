/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums are read in the order stored: compilers write them as usual, the GNU
 * assembler backwards. */
#include "libexpt/elf/line_sums.h"

#include <dwarf.h>
#include <string.h>

/* The content of one field of an entry, and how it is encoded. */
struct entry_field {
	uint64_t content, form;
};

struct entry_format {
	struct entry_field fields[256];
	unsigned count;
};

static void read_format(struct entry_format *format, struct cursor *cursor)
{
	format->count = (unsigned)cursor_number(cursor, 1);
	for (unsigned i = 0; i < format->count; i++) {
		format->fields[i].content = cursor_leb128(cursor);
		format->fields[i].form = cursor_leb128(cursor);
	}
}

/* If only some files of a table have a sum, the assembler writes zeros for the others. */
static const unsigned char *sum_or_none(const unsigned char *md5)
{
	static const unsigned char none[MD5_SIZE];

	return md5 && memcmp(md5, none, MD5_SIZE) != 0 ? md5 : NULL;
}

/* Returns the MD5 sum of an entry, or NULL. */
static const unsigned char *
read_entry(struct cursor *cursor, const struct entry_format *format, unsigned offset_size)
{
	const unsigned char *md5 = NULL;

	for (unsigned i = 0; i < format->count; i++) {
		const struct entry_field *field = &format->fields[i];

		if (field->content == DW_LNCT_MD5 && field->form == DW_FORM_data16)
			md5 = sum_or_none(cursor_skip(cursor, MD5_SIZE));
		else
			cursor_skip_value(cursor, field->form, offset_size);
	}
	return md5;
}

void line_head_read(struct line_head *head, const struct elf *elf,
		    const Elf_Data *section, uint64_t offset)
{
	struct cursor *cursor = &head->cursor;
	unsigned opcodes;

	*head = (struct line_head){ .cursor = cursor_at(elf, section, offset) };
	cursor_length(cursor, &head->offset_size);
	head->version = (unsigned)cursor_number(cursor, 2);
	if (head->version != 5)
		return;
	cursor_skip(cursor, 2); /* sizes of an address and of a segment selector */
	cursor_skip(cursor, head->offset_size);
	cursor_skip(cursor, 5); /* parameters of the line program */
	opcodes = (unsigned)cursor_number(cursor, 1);
	cursor_skip(cursor, opcodes ? opcodes - 1 : 0);
}

bool line_head_sums(const unsigned char **sums, size_t count, struct line_head *head)
{
	struct cursor *cursor = &head->cursor;
	struct entry_format format;
	bool has_any = false;

	if (head->version != 5)
		return false;
	read_format(&format, cursor);
	for (uint64_t left = cursor_leb128(cursor); left > 0 && !cursor->failed; left--)
		read_entry(cursor, &format, head->offset_size);
	read_format(&format, cursor);
	cursor_leb128(cursor); /* the count, which libdw has read */
	for (size_t i = 0; i < count && !cursor->failed; i++) {
		sums[i] = read_entry(cursor, &format, head->offset_size);
		has_any |= sums[i] != NULL;
	}
	return has_any && !cursor->failed;
}
