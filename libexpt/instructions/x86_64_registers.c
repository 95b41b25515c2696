/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/instructions/x86_64_registers.h"

#include <capstone/capstone.h>

#include "libexpt/instructions/step.h"

/* The processor's registers, widest first, by their numbers in DWARF. */
static const struct {
	x86_reg names[4];
	x86_reg high; /* "ah" */
} registers[REGISTERS] = {
	[X86_AX] = { { X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL }, X86_REG_AH },
	[X86_DX] = { { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL }, X86_REG_DH },
	[X86_CX] = { { X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL }, X86_REG_CH },
	[X86_BX] = { { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL }, X86_REG_BH },
	[X86_SI] = { { X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL }, 0 },
	[X86_DI] = { { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL }, 0 },
	[X86_BP] = { { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL }, 0 },
	[X86_SP] = { { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL }, 0 },
	[8] = { { X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B }, 0 },
	[9] = { { X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B }, 0 },
	[10] = { { X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B }, 0 },
	[11] = { { X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B }, 0 },
	[12] = { { X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B }, 0 },
	[13] = { { X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B }, 0 },
	[14] = { { X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B }, 0 },
	[15] = { { X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B }, 0 },
};

int x86_64_register(unsigned name, unsigned *width)
{
	for (int i = 0; i < REGISTERS; i++) {
		for (unsigned j = 0; j < 4; j++)
			if (registers[i].names[j] == name) {
				*width = 8 >> j;
				return i;
			}
		if (registers[i].high == name && name) {
			*width = 1;
			return i;
		}
	}
	*width = 0;
	return REGISTER_OTHER;
}
