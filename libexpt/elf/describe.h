/* SPDX-License-Identifier: Apache-2.0 */
/* Writing description files. */
#ifndef LIBEXPT_ELF_DESCRIBE_H
#define LIBEXPT_ELF_DESCRIBE_H

#include "libexpt/elf/elf.h"

/* The separate debug file of an object. */
struct elf_debug {
	const struct elf *elf;
	bool is_beside; /* in the object's directory: counts as the object's own */
};

/* Whether a description gets its symbols from the debug file, because the object was
 * stripped. */
bool elf_needs_debug_file(const struct elf *object);
/* Write the description of the ELF file object to the descriptor out: a valid ELF file
 * with symbol tables, unwind tables, line table, notes and section headers, code and data
 * as NOBITS, and this note. debug is the debug file of an object that
 * needs it, or NULL. */
int elf_describe(const struct elf *object, const struct elf_note *note,
		 const struct elf_debug *debug, int out, struct expt_error *err);

#endif
