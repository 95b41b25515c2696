/* SPDX-License-Identifier: Apache-2.0 */
/* The symbol tables of an ELF file. */
#ifndef LIBEXPT_ELF_SYMBOLS_H
#define LIBEXPT_ELF_SYMBOLS_H

#include "libexpt/elf/elf.h"

/* Tables, better ones first. ELF_TABLE_PLT: see plt.h; ELF_TABLE_ELSEWHERE: added from a
 * separate debug file. */
enum elf_table { ELF_TABLE_PLT, ELF_TABLE_SYMTAB, ELF_TABLE_DYNSYM, ELF_TABLE_ELSEWHERE };

struct elf_symbol {
	const char *name; /* lives as long as the elf */
	uint64_t offset;  /* in the image */
	uint64_t size;
	enum elf_table table;
	uint32_t file; /* number of the source file of a local one; 0: not known */
};

struct elf_symbols {
	struct elf_symbol *items;
	size_t count, capacity;
};

/* Whether there is a symbol table of the kind SHT_SYMTAB, whatever its name. */
bool elf_has_symtab(const struct elf *elf);

/* Add the function symbols of both tables, in file order, IFUNCs included, undefined ones
 * not. image is elf itself, or the object whose separate debug file elf is: only its
 * segments are used, as those of debug files have unreliable offsets. */
int elf_read_symbols(struct elf_symbols *symbols, const struct elf *elf,
		     const struct elf *image, struct expt_error *err);

#endif
