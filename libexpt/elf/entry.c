/* SPDX-License-Identifier: Apache-2.0 */
/* The function at the entry point, which stripped programs do not name. */
#include "libexpt/elf/entry.h"

#include <dwarf.h>
#include <string.h>

#include "libexpt/elf/cursor.h"
#include "libexpt/elf/private.h"

/* Start functions are short; what comes after one has names or rules of its own. */
#define SIZE_WITHOUT_RULES 64
/* Bytes of .eh_frame that are read first. */
#define FIRST_RULES 1024

/* Linkers of before 2020 give every library an entry point: where its code begins. A
 * program's interpreter is known by its section, which descriptions keep. */
static bool is_made_up(const struct elf *elf, uint64_t entry)
{
	uint64_t offset, size;

	return elf->header.e_type == ET_DYN &&
	       !elf_section(elf, ".interp", &offset, &size) &&
	       elf_section(elf, ".text", &offset, &size) && offset == entry;
}

/* ---- its size by .eh_frame --------------------------------------------------------- */

struct frames {
	const struct elf *elf;
	const Elf_Data *data;
	uint64_t address; /* of the section */
};

/* Returns how the rules of a CIE at an offset write addresses; DW_EH_PE_omit: unknown. */
static uint64_t read_encoding(const struct frames *frames, uint64_t offset)
{
	struct cursor cursor = cursor_at(frames->elf, frames->data, offset);
	const char *augmentation;
	uint64_t version;

	cursor_skip(&cursor, 2 * sizeof(uint32_t)); /* length, identifier */
	version = cursor_number(&cursor, 1);
	augmentation = (const char *)cursor.at;
	/* Longer ones than "zRS" are not understood, and may be a trap. */
	for (int length = 0; cursor_number(&cursor, 1) != 0; length++)
		if (cursor.failed || length == 3)
			return DW_EH_PE_omit;
	cursor_leb128(&cursor); /* alignment of code, and of data */
	cursor_leb128(&cursor);
	if (version == 1)
		cursor_number(&cursor, 1); /* register of the return address */
	else
		cursor_leb128(&cursor);
	if (cursor.failed)
		return DW_EH_PE_omit;
	if (*augmentation == '\0')
		return DW_EH_PE_absptr;
	/* Languages with exceptions write more before the encoding than is read here. */
	if (strcmp(augmentation, "zR") != 0 && strcmp(augmentation, "zRS") != 0)
		return DW_EH_PE_omit;
	cursor_leb128(&cursor); /* length of what follows */
	return cursor_number(&cursor, 1);
}

/* Returns the size of an address, or 0 for forms that linkers do not use here. */
static unsigned encoded_size(const struct frames *frames, uint64_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		return frames->elf->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return 4;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return 8;
	default:
		return 0;
	}
}

/* Returns the size of the function at an address, if the cursor's FDE is its; or 0. */
static uint64_t read_size(const struct frames *frames, struct cursor cursor,
			  uint64_t encoding, uint64_t address)
{
	unsigned size = encoded_size(frames, encoding);
	uint64_t place =
		(uint64_t)(cursor.at - (const unsigned char *)frames->data->d_buf);
	uint64_t start = cursor_number(&cursor, size);

	if (size == 4 && encoding & DW_EH_PE_signed)
		start = (uint64_t)(int32_t)start;
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		start += frames->address + place;
	else if (encoding & 0x70)
		return 0;
	return size > 0 && start == address && !cursor.failed
		       ? cursor_number(&cursor, size)
		       : 0;
}

static uint64_t search(const struct frames *frames, uint64_t address)
{
	struct cursor cursor = cursor_at(frames->elf, frames->data, 0);
	uint64_t cie = UINT64_MAX, encoding = DW_EH_PE_omit, size = 0;

	while (!cursor.failed && size == 0) {
		unsigned offset_size;
		uint64_t length = cursor_length(&cursor, &offset_size), place, distance;
		struct cursor entry = cursor;

		if (length == 0 || offset_size != 4)
			break;
		place = (uint64_t)(cursor.at -
				   (const unsigned char *)frames->data->d_buf);
		distance = cursor_number(&entry, 4);
		if (distance > 4 && distance <= place) { /* an FDE; a CIE has 0 */
			if (cie != place - distance)
				encoding = read_encoding(frames, place - distance);
			cie = place - distance;
			size = read_size(frames, entry, encoding, address);
		}
		cursor_skip(&cursor, length);
	}
	return size;
}

static uint64_t search_data(const struct elf *elf, const GElf_Shdr *header,
			    const Elf_Data *data, uint64_t address)
{
	struct frames frames = { .elf = elf, .data = data, .address = header->sh_addr };

	return data && data->d_buf ? search(&frames, address) : 0;
}

/* The rules of the start function come from the first file that is linked: the section,
 * which may be large, is read whole only where they do not. */
static uint64_t size_by_rules(const struct elf *elf, uint64_t address)
{
	Elf_Scn *section = elf_find_section(elf, ".eh_frame");
	uint64_t size = 0;
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
		return 0;
	if (header.sh_size > FIRST_RULES)
		size = search_data(elf, &header,
				   elf_getdata_rawchunk(elf->handle,
							(int64_t)header.sh_offset,
							FIRST_RULES, ELF_T_BYTE),
				   address);
	return size > 0 ? size
			: search_data(elf, &header, elf_rawdata(section, NULL), address);
}

bool elf_entry(const struct elf *elf, uint64_t *offset, uint64_t *size)
{
	uint64_t address = elf->header.e_entry;

	if ((elf->header.e_type != ET_EXEC && elf->header.e_type != ET_DYN) ||
	    address == 0 || !elf_image_offset(elf, address, offset) ||
	    is_made_up(elf, *offset))
		return false;
	*size = size_by_rules(elf, address);
	if (*size == 0)
		*size = SIZE_WITHOUT_RULES;
	return true;
}
