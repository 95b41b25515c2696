/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz machine code: any bytes are instructions that lie in them, one after the other. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/disassembly/disassembly.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct disassembler *disassembler;
	struct instruction instruction;
	size_t at = 0;

	if (!disassembler && disassembler_open(&disassembler, EM_X86_64, NULL) < 0)
		abort();
	while (at < size) {
		size_t length = disassemble(disassembler, bytes + at, size - at, at,
					    &instruction);

		if (length == 0 || length > size - at || length != instruction.size ||
		    *instruction.mnemonic == '\0' ||
		    strlen(instruction.mnemonic) >= sizeof(instruction.mnemonic) ||
		    strlen(instruction.operands) >= sizeof(instruction.operands))
			abort();
		at += length;
	}
	if (disassemble(disassembler, bytes, 0, 0, &instruction) != 0)
		abort();
	return 0;
}
