/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function symbols for the description of a stripped object, from the separate debug file
 * on this machine. Another machine may lack that file, and still show the same names.
 */
#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/elf/private.h"
#include "libexpt/format.h"

static bool is_in_section(Elf_Scn *section, uint64_t address)
{
	GElf_Shdr header;

	return gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
	       address >= header.sh_addr && address - header.sh_addr < header.sh_size;
}

/* Returns the number of the section with an address: mostly *last, that of the address
 * before. */
static GElf_Half section_of(const struct elf *object, uint64_t address, Elf_Scn **last)
{
	Elf_Scn *section = NULL;

	if (*last && is_in_section(*last, address))
		return (GElf_Half)elf_ndxscn(*last);
	while ((section = elf_nextscn(object->handle, section)))
		if (is_in_section(section, address)) {
			*last = section;
			return (GElf_Half)elf_ndxscn(section);
		}
	return SHN_ABS;
}

static int add_symbol(struct elf_separate *separate, const struct elf *object,
		      const struct elf_symbol *symbol, Elf_Scn **section)
{
	GElf_Sym *new;
	uint64_t address;

	if (!elf_image_address(object, symbol->offset, &address))
		return 0;
	new = array_add(&separate->symbols);
	if (!new)
		return -ENOMEM;
	new->st_name = (GElf_Word)separate->names.length;
	new->st_info = GELF_ST_INFO(STB_LOCAL, STT_FUNC);
	new->st_shndx = section_of(object, address, section);
	new->st_value = address;
	new->st_size = symbol->size;
	strbuf_add(&separate->names, symbol->name, strlen(symbol->name) + 1);
	return separate->names.failed ? -ENOMEM : 0;
}

int elf_separate_read(struct elf_separate *separate, const struct elf *object,
		      const struct elf_debug *debug)
{
	struct elf_symbols symbols = { 0 };
	Elf_Scn *section = NULL;
	int rc;

	if (!debug)
		return 0;
	separate->section = debug->is_beside ? ".symtab" : SEPARATE_SYMTAB_SECTION;
	strbuf_add_char(&separate->names, '\0');
	rc = array_add(&separate->symbols) ? 0 : -ENOMEM; /* number 0 is reserved */
	if (rc == 0)
		rc = elf_read_symbols(&symbols, debug->elf, object, NULL);
	for (size_t i = 0; rc == 0 && i < symbols.count; i++)
		if (symbols.items[i].table == ELF_TABLE_SYMTAB)
			rc = add_symbol(separate, object, &symbols.items[i], &section);
	array_release(&symbols);
	return rc;
}

void elf_separate_release(struct elf_separate *separate)
{
	array_release(&separate->symbols);
	strbuf_release(&separate->names);
}
