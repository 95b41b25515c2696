/* SPDX-License-Identifier: Apache-2.0 */
/* The section headers of an ELF file. */
#include <string.h>

#include "libexpt/elf/private.h"

bool elf_section_header(const struct elf *elf, Elf_Scn *section, GElf_Shdr *header,
			const char **name)
{
	if (!gelf_getshdr(section, header))
		return false;
	*name = elf->section_names
			? elf_strptr(elf->handle, elf->section_names, header->sh_name)
			: NULL;
	if (!*name)
		*name = "";
	return true;
}

Elf_Scn *elf_find_section(const struct elf *elf, const char *wanted)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->handle, section)))
		if (elf_section_header(elf, section, &header, &name) &&
		    header.sh_type != SHT_NOBITS && header.sh_size <= ELF_TABLE_LIMIT &&
		    strcmp(name, wanted) == 0)
			return section;
	return NULL;
}
