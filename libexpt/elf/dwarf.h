/* SPDX-License-Identifier: Apache-2.0 */
/* libdw, kept from opening files that only the object names. For lines.c and split.c. */
#ifndef LIBEXPT_ELF_DWARF_H
#define LIBEXPT_ELF_DWARF_H

#include <elfutils/libdw.h>

#include "libexpt/elf/private.h"

struct elf_dwarf {
	Dwarf *dwarf, *common;
	Elf *nothing; /* replaces a missing common file */
};

/* clang-format off */
#define cleanup_elf_dwarf	__attribute__((__cleanup__(elf_dwarf_close)))
/* clang-format on */

/* Open the debug data of elf. common: the file that it shares strings with, or NULL. This
 * also uncompresses the sections. -EBADMSG: they are too large, or libdw cannot read
 * them. */
int elf_dwarf_open(struct elf_dwarf *out, const struct elf *elf, const struct elf *common,
		   struct expt_error *err);
void elf_dwarf_close(struct elf_dwarf *opened);

#endif
