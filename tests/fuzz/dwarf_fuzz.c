/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz debug data: an object, which may also have its own split units and those of a
 * package, has some position or none at every place. */
#include "libexpt/base/array.h"
#include "libexpt/dwarf/rows.h"
#include "tests/fuzz/object.h"

#define PLACES_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_positions(struct dwarf *dwarf, uint64_t offset)
{
	const struct dwarf_position *positions;
	size_t count = dwarf_positions(dwarf, offset, &positions);

	for (size_t i = 0; i < count; i++) {
		if (positions[i].path && !*positions[i].path->path)
			abort();
		if (positions[i].function && !*positions[i].function->name)
			abort();
	}
}

static void check_rows(struct dwarf *dwarf, uint64_t end)
{
	struct dwarf_rows rows = { .items = NULL };

	dwarf_read_rows(&rows, dwarf, 0, end);
	for (size_t i = 0; i < rows.count; i++)
		if (rows.items[i].offset > end ||
		    (i > 0 && rows.items[i].offset < rows.items[i - 1].offset))
			abort();
	array_release(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input input = { bytes, size };
	struct elf *object = open_input(&input);
	struct dwarf *dwarf = object ? open_input_data(&input, object, false) : NULL;

	if (dwarf) {
		for (uint64_t i = 0; i < PLACES_MAX; i++)
			check_positions(dwarf, i * 3);
		check_rows(dwarf, UINT64_C(1) << 20);
		dwarf_close(dwarf);
	}
	elf_close(object);
	return 0;
}
