/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Split DWARF: an object has only the skeleton of a compilation unit's debug data, with a
 * number and the name of the file that has the rest: a .dwo file, the .o file if the
 * compiler left it there, or a package of all units of a program, NAME.dwp.
 */
#ifndef LIBEXPT_ELF_SPLIT_H
#define LIBEXPT_ELF_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/elf/elf.h"

struct split_unit {
	char *path; /* absolute, as passed to the compiler */
	uint64_t number;
};

struct split_units {
	struct arena strings;
	struct split_unit *items;
	size_t count, capacity;
};

/* Add the units that have a skeleton in this object or debug file. -EBADMSG: its debug
 * data is damaged; units before that have been added. */
int elf_split_units(struct split_units *units, const struct elf *elf,
		    struct expt_error *err);
void split_units_release(struct split_units *units);

struct split_numbers {
	uint64_t *items;
	size_t count, capacity;
};

/* Get the numbers of the units in this file or package, ascending. 0, even if some cannot
 * be read, or -ENOMEM. */
int elf_split_numbers(struct split_numbers *numbers, const struct elf *elf);
bool split_numbers_have(const struct split_numbers *numbers, uint64_t number);

#endif
