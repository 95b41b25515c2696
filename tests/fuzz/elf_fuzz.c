/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz ELF files: whatever one contains, its description names the same functions. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"
#include "libexpt/elf/describe.h"
#include "libexpt/elf/entry.h"
#include "libexpt/objects/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void find_some(const struct symbol_table *table)
{
	static const uint64_t offsets[] = { 0, 1, 0x40, 0x100, 0x1000, UINT64_MAX };
	struct symbol_range range;

	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		symbol_find(table, offsets[i], &range);
		if (range.start > offsets[i] || range.end <= range.start)
			abort();
		if (range.count > 0 && offsets[i] >= range.end)
			abort();
	}
	for (size_t i = 0; i < table->symbols.count; i++) {
		symbol_find(table, table->symbols.items[i].offset, &range);
		if (range.count == 0 && table->symbols.items[i].offset < UINT64_MAX)
			abort();
	}
}

/* Read what is shown of the code of the first functions. */
static void read_code(const struct elf *elf, const struct symbol_table *table)
{
	unsigned char bytes[256];

	for (size_t i = 0; i < table->symbols.count && i < 100; i++) {
		uint64_t offset = table->symbols.items[i].offset;
		size_t size = elf_code_size(elf, offset, sizeof(bytes));

		if (size > sizeof(bytes))
			abort();
		elf_read_code(elf, offset, bytes, size, NULL);
	}
}

static void compare(const struct elf *object, const struct elf *description)
{
	struct elf_symbols a = { 0 }, b = { 0 };
	uint64_t offsets[2], sizes[2];
	struct elf_note note;
	bool has_entry = elf_entry(object, &offsets[0], &sizes[0]);

	if (has_entry != elf_entry(description, &offsets[1], &sizes[1]) ||
	    (has_entry && (offsets[0] != offsets[1] || sizes[0] != sizes[1])))
		abort();
	if (elf_read_symbols(&a, object, object, NULL) < 0 ||
	    elf_read_symbols(&b, description, description, NULL) < 0 ||
	    a.count != b.count || !elf_described(description, &note) ||
	    strcmp(note.path, "/x y") != 0 || note.identity.size != 9)
		abort();
	for (size_t i = 0; i < a.count; i++)
		if (strcmp(a.items[i].name, b.items[i].name) != 0 ||
		    a.items[i].offset != b.items[i].offset)
			abort();
	array_release(&a);
	array_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct elf_note note = { "/x y", { .size = 9, .build_id = "" } };
	int in = memfd_create("elf", MFD_CLOEXEC), out;
	struct elf *elf, *description;
	struct symbol_table table;

	if (in < 0 || io_write_all(in, bytes, size) < 0)
		abort();
	if (elf_open(&elf, in, NULL) < 0)
		return 0;
	if (symbol_table_read(&table, elf, NULL, "", NULL, NULL) == 0) {
		find_some(&table);
		read_code(elf, &table);
		symbol_table_release(&table);
	}
	out = memfd_create("description", MFD_CLOEXEC);
	if (out < 0)
		abort();
	if (elf_describe(elf, &note, NULL, out, NULL) < 0) {
		close(out);
	} else {
		if (elf_open(&description, out, NULL) < 0)
			abort();
		compare(elf, description);
		elf_close(description);
	}
	elf_close(elf);
	return 0;
}
