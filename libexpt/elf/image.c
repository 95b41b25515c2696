/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF structures in memory, in the class and byte order of another file. libelf knows
 * their layout and converts them. Its own writer is not used: it writes piece by piece,
 * and crashes when memory runs out.
 */
#include <assert.h>
#include <string.h>

#include "libexpt/elf/private.h"

static bool is_wide(const struct elf_image *image)
{
	return image->like->header.e_ident[EI_CLASS] == ELFCLASS64;
}

void elf_image_put(struct elf_image *image, uint64_t offset, Elf_Type type,
		   const void *native, size_t size)
{
	Elf_Data from = { .d_buf = (void *)(uintptr_t)native,
			  .d_type = type,
			  .d_version = EV_CURRENT,
			  .d_size = size };
	Elf_Data to = from;

	to.d_buf = image->bytes + offset;
	if (!gelf_xlatetof(image->like->handle, &to, &from,
			   image->like->header.e_ident[EI_DATA]))
		assert(!"libelf knows how to turn its types round");
}

void elf_image_put_header(struct elf_image *image, const GElf_Ehdr *header)
{
	Elf32_Ehdr narrow = {
		.e_type = header->e_type,
		.e_machine = header->e_machine,
		.e_version = header->e_version,
		.e_entry = (Elf32_Addr)header->e_entry,
		.e_phoff = (Elf32_Off)header->e_phoff,
		.e_shoff = (Elf32_Off)header->e_shoff,
		.e_flags = header->e_flags,
		.e_ehsize = header->e_ehsize,
		.e_phentsize = header->e_phentsize,
		.e_phnum = header->e_phnum,
		.e_shentsize = header->e_shentsize,
		.e_shnum = header->e_shnum,
		.e_shstrndx = header->e_shstrndx,
	};

	memcpy(narrow.e_ident, header->e_ident, EI_NIDENT);
	if (is_wide(image))
		elf_image_put(image, 0, ELF_T_EHDR, header, sizeof(*header));
	else
		elf_image_put(image, 0, ELF_T_EHDR, &narrow, sizeof(narrow));
}

void elf_image_put_segment(struct elf_image *image, uint64_t table, size_t i,
			   const GElf_Phdr *segment)
{
	Elf32_Phdr narrow = { .p_type = segment->p_type,
			      .p_offset = (Elf32_Off)segment->p_offset,
			      .p_vaddr = (Elf32_Addr)segment->p_vaddr,
			      .p_paddr = (Elf32_Addr)segment->p_paddr,
			      .p_filesz = (Elf32_Word)segment->p_filesz,
			      .p_memsz = (Elf32_Word)segment->p_memsz,
			      .p_flags = segment->p_flags,
			      .p_align = (Elf32_Word)segment->p_align };

	if (is_wide(image))
		elf_image_put(image, table + i * sizeof(*segment), ELF_T_PHDR, segment,
			      sizeof(*segment));
	else
		elf_image_put(image, table + i * sizeof(narrow), ELF_T_PHDR, &narrow,
			      sizeof(narrow));
}

void elf_image_put_section(struct elf_image *image, uint64_t table, size_t i,
			   const GElf_Shdr *header)
{
	Elf32_Shdr narrow = { .sh_name = header->sh_name,
			      .sh_type = header->sh_type,
			      .sh_flags = (Elf32_Word)header->sh_flags,
			      .sh_addr = (Elf32_Addr)header->sh_addr,
			      .sh_offset = (Elf32_Off)header->sh_offset,
			      .sh_size = (Elf32_Word)header->sh_size,
			      .sh_link = header->sh_link,
			      .sh_info = header->sh_info,
			      .sh_addralign = (Elf32_Word)header->sh_addralign,
			      .sh_entsize = (Elf32_Word)header->sh_entsize };

	if (is_wide(image))
		elf_image_put(image, table + i * sizeof(*header), ELF_T_SHDR, header,
			      sizeof(*header));
	else
		elf_image_put(image, table + i * sizeof(narrow), ELF_T_SHDR, &narrow,
			      sizeof(narrow));
}

void elf_image_put_symbol(struct elf_image *image, uint64_t table, size_t i,
			  const GElf_Sym *symbol)
{
	Elf32_Sym narrow = { .st_name = symbol->st_name,
			     .st_value = (Elf32_Addr)symbol->st_value,
			     .st_size = (Elf32_Word)symbol->st_size,
			     .st_info = symbol->st_info,
			     .st_shndx = symbol->st_shndx };

	if (is_wide(image))
		elf_image_put(image, table + i * sizeof(*symbol), ELF_T_SYM, symbol,
			      sizeof(*symbol));
	else
		elf_image_put(image, table + i * sizeof(narrow), ELF_T_SYM, &narrow,
			      sizeof(narrow));
}
