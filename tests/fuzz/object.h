/* SPDX-License-Identifier: Apache-2.0 */
/* An object from memory, which may also have its own split units, and those of a
 * package, for targets that read debug data. */
#ifndef TESTS_FUZZ_OBJECT_H
#define TESTS_FUZZ_OBJECT_H

#include <stdlib.h>
#include <sys/mman.h>

#include "libexpt/base/io.h"
#include "libexpt/dwarf/dwarf.h"

struct input {
	const uint8_t *bytes;
	size_t size;
};

static inline struct elf *open_input(const struct input *input)
{
	int file = memfd_create("elf", MFD_CLOEXEC);
	struct elf *elf;

	if (file < 0 || io_write_all(file, input->bytes, input->size) < 0)
		abort();
	return elf_open(&elf, file, NULL) == 0 ? elf : NULL;
}

static inline struct elf *find_package(void *context, const struct split_units *units)
{
	return units->count > 1 ? open_input(context) : NULL;
}

static inline struct elf *find_unit(void *context, const struct split_unit *unit)
{
	return unit->path[0] == '/' ? open_input(context) : NULL;
}

/* Open the debug data of an object that was opened. NULL: they are damaged. */
static inline struct dwarf *open_input_data(struct input *input, const struct elf *object,
					    bool has_locations)
{
	struct dwarf_sources sources = {
		.object = object,
		.debug = open_input(input),
		.common = open_input(input),
		.has_locations = has_locations,
		.find_package = find_package,
		.find_unit = find_unit,
		.context = input,
	};
	struct dwarf *dwarf;

	return dwarf_open(&dwarf, &sources, NULL) == 0 ? dwarf : NULL;
}

#endif
