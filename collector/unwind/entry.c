/* SPDX-License-Identifier: Apache-2.0 */
/* An entry of .eh_frame, its common entry, and the encoded pointers in them. */

#include "collector/unwind/entry.h"

uint64_t cfi_read_encoded(struct cursor *cursor, unsigned encoding)
{
	uintptr_t base = (encoding & ENCODING_BASE) == ENCODING_PC_RELATIVE ? cursor->at
									    : 0;

	switch (encoding & ENCODING_FORM) {
	case ENCODING_ABSOLUTE:
	case ENCODING_U64:
	case ENCODING_S64:
		return base + read_u64(cursor);
	case ENCODING_ULEB:
		return base + read_uleb(cursor);
	case ENCODING_SLEB:
		return base + (uint64_t)read_sleb(cursor);
	case ENCODING_U16:
		return base + read_u16(cursor);
	case ENCODING_S16:
		return base + (uint64_t)(int16_t)read_u16(cursor);
	case ENCODING_U32:
		return base + read_u32(cursor);
	case ENCODING_S32:
		return base + (uint64_t)(int32_t)read_u32(cursor);
	}
	cursor->failed = 1;
	return 0;
}

bool cfi_is_plain_encoding(unsigned encoding)
{
	unsigned base = encoding & ENCODING_BASE;

	return !(encoding & ENCODING_INDIRECT) &&
	       (base == 0 || base == ENCODING_PC_RELATIVE);
}

bool cfi_enter(struct cursor *cursor)
{
	uint64_t length = read_u32(cursor);

	if (length == 0xffffffff)
		length = read_u64(cursor);
	if (cursor->failed || length == 0 || length > cursor->end - cursor->at)
		return false;
	cursor->end = cursor->at + length;
	return true;
}

/* Read the letters after 'z', each with its data. */
static bool read_augmentation(struct cfi_common *common, struct cursor *letters,
			      struct cursor *data)
{
	for (;;) {
		unsigned encoding;

		switch (read_u8(letters)) {
		case 0:
			return !letters->failed && !data->failed;
		case 'R':
			common->encoding = read_u8(data);
			break;
		case 'P':
			encoding = read_u8(data);
			cfi_read_encoded(data, encoding);
			break;
		case 'L':
			read_u8(data);
			break;
		case 'S':
			common->is_signal_frame = true;
			break;
		default: /* could be skipped, but may be significant */
			return false;
		}
	}
}

static bool skip_text(struct cursor *cursor)
{
	while (read_u8(cursor))
		;
	return !cursor->failed;
}

static bool read_common(struct cfi_common *common, const struct cfi_section *section,
			uintptr_t at)
{
	struct cursor cursor = { .at = at, .end = section->high }, letters, data;
	unsigned version, first;

	*common = (struct cfi_common){ .encoding = ENCODING_ABSOLUTE };
	if (at < section->low || at >= section->high || !cfi_enter(&cursor) ||
	    read_u32(&cursor) != 0)
		return false;
	version = read_u8(&cursor);
	letters = cursor;
	if ((version != 1 && version != 3 && version != 4) || !skip_text(&cursor))
		return false;
	/* Version 4, of .debug_frame, has the sizes of addresses and segments. */
	if (version == 4 &&
	    (read_u8(&cursor) != sizeof(uintptr_t) || read_u8(&cursor) != 0))
		return false;
	common->code_align = read_uleb(&cursor);
	common->data_align = read_sleb(&cursor);
	if ((version == 1 ? read_u8(&cursor) : read_uleb(&cursor)) != REGISTER_PC)
		return false;
	first = read_u8(&letters);
	if (first == 'z') {
		uint64_t length = read_uleb(&cursor);

		data = cursor;
		cursor_skip(&cursor, length);
		data.end = cursor.at;
		common->has_augmentation = true;
		if (cursor.failed || !read_augmentation(common, &letters, &data))
			return false;
	} else if (first != 0) {
		return false;
	}
	common->instructions = cursor;
	return !cursor.failed && cfi_is_plain_encoding(common->encoding);
}

bool cfi_read_entry(struct cfi_entry *entry, const struct cfi_section *section,
		    uintptr_t at)
{
	struct cursor cursor = { .at = at, .end = section->high };
	uintptr_t here;
	uint32_t distance;

	if (at < section->low || at >= section->high || !cfi_enter(&cursor))
		return false;
	here = cursor.at;
	distance = read_u32(&cursor);
	if (cursor.failed || distance == 0 ||
	    !read_common(&entry->common, section, here - distance))
		return false;
	entry->start = cfi_read_encoded(&cursor, entry->common.encoding);
	entry->size = cfi_read_encoded(&cursor, entry->common.encoding & ENCODING_FORM);
	if (entry->common.has_augmentation)
		cursor_skip(&cursor, read_uleb(&cursor));
	entry->instructions = cursor;
	return !cursor.failed;
}
