/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Split DWARF: an object has but the skeleton of the debug data of a compilation unit,
 * with a number and the name of the file that has the rest: a .dwo file, the .o file
 * where the compiler left it in there, or a package, NAME.dwp, of all of a program.
 */
#ifndef LIBEXPT_ELF_SPLIT_H
#define LIBEXPT_ELF_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"
#include "libexpt/elf/elf.h"

struct split_unit {
	char *path; /* absolute, as the compiler was told */
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

/* The numbers of the units that are in this file or package, ascending. 0, also where the
 * rest cannot be read, or -ENOMEM. */
int elf_split_numbers(struct split_numbers *numbers, const struct elf *elf);
bool split_numbers_have(const struct split_numbers *numbers, uint64_t number);

#endif
