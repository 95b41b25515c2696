/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stubs differ between linkers and their options, but each jumps to the address in a
 * slot, and the relocation of the slot names the function.
 */
#include "libexpt/objects/plt.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/disassembly/disassembly.h"
#include "libexpt/elf/symbols.h"

#define SECTION_MAX ((size_t)16 << 20)

struct reading {
	struct plt *plt;
	const struct elf *elf;
	struct arena *arena;
	struct elf_slots slots; /* by address */
	struct disassembler *disassembler;
};

static int compare_slots(const void *a, const void *b)
{
	const struct elf_slot *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void add_stub(struct reading *reading, uint64_t address, uint64_t slot_address)
{
	struct elf_slot key = { .address = slot_address };
	const struct elf_slot *slot = bsearch(&key, reading->slots.items,
					      reading->slots.count, sizeof(key),
					      compare_slots);
	uint32_t *index = slot ? idmap_add(&reading->plt->by_address, address) : NULL;
	const char **name = index ? array_add(&reading->plt->names) : NULL;

	if (!name)
		return;
	*name = arena_text(reading->arena, slot->name, strlen(slot->name));
	*index = (uint32_t)(reading->plt->names.count - 1);
}

/* A stub begins with its jump, or with the endbr64 before that. */
static void read_stubs(struct reading *reading, const unsigned char *bytes, size_t size,
		       uint64_t address)
{
	struct instruction instruction;
	uint64_t start = 0;
	size_t length;

	for (size_t at = 0; at < size; at += length) {
		length = disassemble(reading->disassembler, bytes + at, size - at,
				     address + at, &instruction);
		if (instruction.kind == EXPT_INSTRUCTION_JUMP && instruction.has_memory)
			add_stub(reading, start ? start : address + at,
				 instruction.memory);
		start = strcmp(instruction.mnemonic, "endbr64") == 0 ? address + at : 0;
	}
}

static void read_section(struct reading *reading, const char *name)
{
	cleanup_free unsigned char *bytes = NULL;
	uint64_t offset, wanted, address;
	struct expt_error err;
	size_t size;

	if (!elf_section(reading->elf, name, &offset, &wanted) ||
	    !elf_image_address(reading->elf, offset, &address))
		return;
	size = elf_code_size(reading->elf, offset,
			     wanted < SECTION_MAX ? wanted : SECTION_MAX);
	bytes = malloc(size + 1);
	if (bytes && elf_read_code(reading->elf, offset, bytes, size, &err) == 0)
		read_stubs(reading, bytes, size, address);
}

void plt_read(struct plt *plt, const struct elf *elf, struct arena *arena)
{
	static const char *const sections[] = { ".plt", ".plt.got", ".plt.sec" };
	struct reading reading = { .plt = plt, .elf = elf, .arena = arena };
	struct expt_error err;

	if (elf_read_slots(&reading.slots, elf, &err) == 0 && reading.slots.count > 0 &&
	    disassembler_open(&reading.disassembler, elf_machine(elf), &err) == 0) {
		qsort(reading.slots.items, reading.slots.count,
		      sizeof(*reading.slots.items), compare_slots);
		for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
			read_section(&reading, sections[i]);
	}
	disassembler_close(reading.disassembler);
	array_release(&reading.slots);
}

void plt_release(struct plt *plt)
{
	idmap_release(&plt->by_address);
	array_release(&plt->names);
}

const char *plt_name(const struct plt *plt, uint64_t address)
{
	uint32_t index = idmap_find(&plt->by_address, address);

	return index == IDMAP_NONE ? NULL : plt->names.items[index];
}
