/* SPDX-License-Identifier: Apache-2.0 */
/* The function at the entry point, which stripped programs do not name. */
#ifndef LIBEXPT_ELF_ENTRY_H
#define LIBEXPT_ELF_ENTRY_H

#include "libexpt/elf/elf.h"

#define ENTRY_NAME "_start"

/* Get the range of the function at the entry point. Its size is that of its unwind rules,
 * or a small one. False: the file has no entry point, or one that the linker made up. */
bool elf_entry(const struct elf *elf, uint64_t *offset, uint64_t *size);

#endif
