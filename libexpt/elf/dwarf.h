/* SPDX-License-Identifier: Apache-2.0 */
/* libdw, held back from files that only the object names. For elf_lines.c and
 * elf_split.c. */
#ifndef LIBEXPT_ELF_DWARF_H
#define LIBEXPT_ELF_DWARF_H

#include <elfutils/libdw.h>

#include "libexpt/elf/private.h"

struct elf_dwarf {
	Dwarf *dwarf, *common;
	Elf *nothing; /* where there is no common, what stands for it */
};

/* clang-format off */
#define cleanup_elf_dwarf	__attribute__((__cleanup__(elf_dwarf_close)))
/* clang-format on */

/* The debug data of elf; common: the file that it shares strings with, or NULL. This also
 * uncompresses the sections, unless they are too large: -EBADMSG, and if libdw does not
 * understand them. */
int elf_dwarf_open(struct elf_dwarf *out, const struct elf *elf, const struct elf *common,
		   struct expt_error *err);
void elf_dwarf_close(struct elf_dwarf *opened);

#endif
