/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz unwind data. The input is the distance of an address from the section's start, in
 * 4 bytes, and the section, .eh_frame_hdr first. The parser is compiled here, so that
 * AddressSanitizer sees its loads.
 */

#define ERKIT_PLAIN_LOADS

#include <stdlib.h>
#include <string.h>

#include "collector/unwind/cfi.c"
#include "collector/unwind/entry.c"
#include "collector/unwind/expression.c"
#include "collector/unwind/instructions.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void use(const struct cfi_rules *rules, uintptr_t pc)
{
	struct registers registers = { .known = (1u << REGISTERS) - 1 };
	int64_t offset, addend;
	unsigned base;

	registers.value[REGISTER_PC] = pc;
	if (rules->state.cfa_is_expression) {
		cfi_cfa_is_fixed(rules, pc, &offset);
		cfi_cfa_is_load(rules, &base, &offset, &addend);
	}
	cfi_is_saved_at(rules, REGISTER_BP, &base, &offset);
	cfi_apply(rules, &registers);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct cfi_section section;
	struct cfi_rules rules;
	uint8_t *copy;
	int32_t distance;

	if (size < sizeof(distance))
		return 0;
	memcpy(&distance, bytes, sizeof(distance));
	size -= sizeof(distance);
	copy = malloc(size ? size : 1);
	if (!copy)
		return 0;
	memcpy(copy, bytes + sizeof(distance), size);
	if (cfi_section_init(&section, (uintptr_t)copy, (uintptr_t)copy,
			     (uintptr_t)copy + size)) {
		uintptr_t pc = section.header + (uintptr_t)(intptr_t)distance;

		for (uint32_t hint = 0, step = 0; step < 3; hint = ++step * 7) {
			if (cfi_find(&rules, &section, pc, &hint) == CFI_FOUND)
				use(&rules, pc);
		}
	}
	free(copy);
	return 0;
}
