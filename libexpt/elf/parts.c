/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a description while it is made. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/common/error.h"
#include "libexpt/elf/plt.h"
#include "libexpt/elf/private.h"

static bool is_kept_by_name(const char *name)
{
	static const char *const kept[] = {
		".eh_frame",	".eh_frame_hdr",   ".debug_frame",   ".debug_line",
		".zdebug_line", ".debug_line_str", ".gnu_debuglink",
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (strcmp(name, kept[i]) == 0)
			return true;
	return elf_is_plt(name);
}

static bool is_kept_relocations(const struct part *part)
{
	bool is_limited;

	return elf_is_plt_relocations(part->name, &is_limited) &&
	       (!is_limited || part->header.sh_size <= ELF_RELOCATIONS_LIMIT);
}

static struct part *find_part(const struct description *description, const char *name)
{
	for (size_t i = 1; i < description->own; i++)
		if (strcmp(description->parts[i].name, name) == 0)
			return &description->parts[i];
	return NULL;
}

/* Line tables before version 5 contain their strings, and those of version 5 have them in
 * .debug_line_str. Only if that is missing can they refer to .debug_str. */
static bool needs_debug_strings(const struct description *description)
{
	const struct part *lines = find_part(description, ".debug_line");
	Elf_Data *data;

	if (!lines || !lines->is_kept || find_part(description, ".debug_line_str"))
		return false;
	if (lines->header.sh_flags & SHF_COMPRESSED)
		return true;
	data = elf_rawdata(lines->source, NULL);
	/* The version follows a length of 4 bytes: low or high byte of 16 bits. */
	return data && data->d_buf && data->d_size > 6 &&
	       (((const char *)data->d_buf)[4] >= 5 ||
		((const char *)data->d_buf)[5] >= 5);
}

static void choose_parts(struct description *description)
{
	struct part *strings;

	for (size_t i = 1; i < description->own; i++) {
		struct part *part = &description->parts[i];

		switch (part->header.sh_type) {
		case SHT_NOBITS:
			break;
		case SHT_SYMTAB:
		case SHT_DYNSYM:
			part->is_kept = true;
			if (part->header.sh_link < description->own)
				description->parts[part->header.sh_link].is_kept = true;
			break;
		case SHT_NOTE:
		case SHT_SYMTAB_SHNDX:
			part->is_kept = true;
			break;
		default:
			part->is_kept |= is_kept_by_name(part->name) ||
					 is_kept_relocations(part);
		}
	}
	strings = find_part(description, ".debug_str");
	if (strings && needs_debug_strings(description))
		strings->is_kept = true;
	description->parts[description->object->section_names].is_kept = true;
	/* Section 0 is reserved, whatever refers to it; and a table may link to a
	 * NOBITS. */
	description->parts[0].is_kept = false;
	for (size_t i = 1; i < description->own; i++)
		if (description->parts[i].header.sh_type == SHT_NOBITS)
			description->parts[i].is_kept = false;
}

int elf_parts_read(struct description *description, struct expt_error *err)
{
	const struct elf *object = description->object;

	for (size_t i = 0; i < description->count; i++)
		description->parts[i].name = "";
	for (size_t i = 1; i < description->own; i++) {
		struct part *part = &description->parts[i];

		part->source = elf_getscn(object->handle, i);
		if (!part->source ||
		    !elf_section_header(object, part->source, &part->header, &part->name))
			return elf_fail(err, "damaged section headers");
		part->old_offset = part->header.sh_offset;
	}
	choose_parts(description);
	return 0;
}

int elf_parts_number(struct description *description, struct expt_error *err)
{
	const struct elf *object = description->object;

	if (elf_getshdrnum(object->handle, &description->own) < 0)
		return elf_fail(err, "damaged section headers");
	if (description->own == 0)
		description->own = 1; /* number 0 is reserved, but counts */
	if (object->section_names >= description->own)
		return expt_refuse(err, -EBADMSG, "damaged section headers");
	description->count = description->own;
	if (description->separate.section) {
		description->symbols = description->count++;
		description->symbol_names = description->count++;
	}
	description->identity = description->count++;
	if (description->count >= SHN_LORESERVE)
		return expt_refuse(err, -ENOTSUP, "too many sections: %zu",
				   description->own);
	if (object->segment_count >= PN_XNUM)
		return expt_refuse(err, -ENOTSUP, "too many segments: %zu",
				   object->segment_count);
	description->parts = calloc(description->count, sizeof(*description->parts));
	if (!description->parts)
		return expt_fail(err, -ENOMEM, "section headers");
	return 0;
}
