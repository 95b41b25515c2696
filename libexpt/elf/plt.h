/* SPDX-License-Identifier: Apache-2.0 */
/* The stubs through which code calls functions of other objects. */
#ifndef LIBEXPT_ELF_PLT_H
#define LIBEXPT_ELF_PLT_H

#include "libexpt/elf/elf.h"
#include "libexpt/elf/symbols.h"

/* A stub whose target is the result of a function of the same object. */
struct elf_resolved {
	uint64_t stub, resolver; /* image offsets */
};

struct elf_plt {
	struct elf_symbols stubs; /* named as their targets, "": not known */
	struct {
		struct elf_resolved *items;
		size_t count, capacity;
	} resolved;
};

/* Read the stubs of all procedure linkage tables. They cover the tables whole: code of
 * other machines, and what is no stub, is one without a name. Names live as long as
 * elf. */
int elf_read_plt(struct elf_plt *plt, const struct elf *elf, struct expt_error *err);
void elf_plt_release(struct elf_plt *plt);

/* Returns whether elf_read_plt() reads a section, by its name. Larger tables of the
 * second kind than ELF_RELOCATIONS_LIMIT are left aside: they are those of data, of which
 * few belong to stubs. */
bool elf_is_plt(const char *name);
bool elf_is_plt_relocations(const char *name, bool *is_limited);
#define ELF_RELOCATIONS_LIMIT (1u << 20)

#endif
