/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of the global offset table with addresses of the same object: code calls
 * functions through them that the linker may not know to be there. */
#ifndef LIBEXPT_ELF_GOT_H
#define LIBEXPT_ELF_GOT_H

#include "libexpt/elf/elf.h"

struct elf_slot {
	uint64_t slot, target; /* addresses in the file */
};

struct elf_got {
	struct {
		struct elf_slot *items; /* by slot */
		size_t count, capacity;
	} slots;
};

/* Read the slots of an object for x86-64; there are none for other machines. */
int elf_read_got(struct elf_got *got, const struct elf *elf, struct expt_error *err);
/* Get the address that a slot has; false: it is not known. */
bool elf_got_find(uint64_t *target, const struct elf_got *got, uint64_t slot);
void elf_got_release(struct elf_got *got);

#endif
