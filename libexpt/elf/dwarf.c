/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/elf/dwarf.h"

#include <errno.h>
#include <stdbool.h>

#include "libexpt/common/error.h"

/* A nearly empty ELF file: libdw requires one of its sections. Without a common file,
 * libdw opens whatever .gnu_debugaltlink names, even a fifo, as soon as it needs a string
 * from there. */
static const struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[24];
} nothing = {
	.header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
								       : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shoff = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 1,
	},
	.sections = {
		[1] = { .sh_name = 1, .sh_type = SHT_STRTAB,
			.sh_offset = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Shdr),
			.sh_size = sizeof("\0.names\0.debug_line") },
		[2] = { .sh_name = 8, .sh_type = SHT_PROGBITS,
			.sh_offset = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Shdr),
			.sh_size = 1 },
	},
	.names = "\0.names\0.debug_line",
};

static Dwarf *open_nothing(struct elf_dwarf *out)
{
	out->nothing = elf_memory((char *)&nothing, sizeof(nothing));
	return out->nothing ? dwarf_begin_elf(out->nothing, DWARF_C_READ, NULL) : NULL;
}

static int damaged(struct expt_error *err)
{
	return expt_refuse(err, -EBADMSG, "damaged debug data: %s",
			   dwarf_errmsg(dwarf_errno()));
}

int elf_dwarf_open(struct elf_dwarf *out, const struct elf *elf, const struct elf *common,
		   struct expt_error *err)
{
	int rc = elf_check_unpacked(elf, err);

	*out = (struct elf_dwarf){ .dwarf = NULL };
	if (rc == 0 && common && (rc = elf_check_unpacked(common, err)) < 0)
		return expt_fail_in(err, rc, "the common debug file");
	if (rc < 0)
		return rc;
	if (common)
		out->common = dwarf_begin_elf(common->handle, DWARF_C_READ, NULL);
	if (!out->common)
		out->common = open_nothing(out);
	if (!out->common)
		return damaged(err);
	out->dwarf = dwarf_begin_elf(elf->handle, DWARF_C_READ, NULL);
	if (!out->dwarf)
		return damaged(err);
	dwarf_setalt(out->dwarf, out->common);
	return 0;
}

void elf_dwarf_close(struct elf_dwarf *opened)
{
	dwarf_end(opened->dwarf);
	dwarf_end(opened->common);
	elf_end(opened->nothing);
	*opened = (struct elf_dwarf){ .dwarf = NULL };
}
