/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_flow.h"

static const struct range {
	enum x86_map map;
	uint8_t first, last;
	struct x86_flow flow;
} ranges[] = {
	{ X86_MAP_1BYTE, 0x70, 0x7f, { EXPT_INSTRUCTION_BRANCH, true, true } },
	{ X86_MAP_1BYTE, 0xc2, 0xc3, { EXPT_INSTRUCTION_RETURN, false, true } },
	{ X86_MAP_1BYTE, 0xca, 0xcb, { EXPT_INSTRUCTION_RETURN, false, false } },
	{ X86_MAP_1BYTE, 0xcf, 0xcf, { EXPT_INSTRUCTION_RETURN, false, false } },
	{ X86_MAP_1BYTE, 0xe0, 0xe3, { EXPT_INSTRUCTION_BRANCH, true, false } },
	{ X86_MAP_1BYTE, 0xe8, 0xe8, { EXPT_INSTRUCTION_CALL, true, true } },
	{ X86_MAP_1BYTE, 0xe9, 0xe9, { EXPT_INSTRUCTION_JUMP, true, true } },
	{ X86_MAP_1BYTE, 0xeb, 0xeb, { EXPT_INSTRUCTION_JUMP, true, true } },
	{ X86_MAP_0F, 0x80, 0x8f, { EXPT_INSTRUCTION_BRANCH, true, true } },
};

/* ff by the middle of ModRM: calls and jumps, near and far. */
static const struct x86_flow indirect[8] = {
	[2] = { EXPT_INSTRUCTION_CALL, false, true },
	[3] = { EXPT_INSTRUCTION_CALL, false, false },
	[4] = { EXPT_INSTRUCTION_JUMP, false, true },
	[5] = { EXPT_INSTRUCTION_JUMP, false, false },
};

struct x86_flow x86_flow(const struct x86_layout *layout)
{
	if (layout->encoding != X86_LEGACY)
		return (struct x86_flow){ 0 };
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (layout->map == ranges[i].map && layout->opcode >= ranges[i].first &&
		    layout->opcode <= ranges[i].last)
			return ranges[i].flow;
	if (layout->map == X86_MAP_1BYTE && layout->opcode == 0xff)
		return indirect[layout->reg];
	/* xbegin */
	if (layout->map == X86_MAP_1BYTE && layout->opcode == 0xc7 && layout->mod == 3 &&
	    layout->reg == 7 && layout->rm == 0)
		return (struct x86_flow){ EXPT_INSTRUCTION_BRANCH, true, false };
	return (struct x86_flow){ 0 };
}

const char *x86_hint(const struct x86_layout *layout)
{
	if (x86_flow(layout).kind != EXPT_INSTRUCTION_BRANCH || layout->opcode == 0xc7)
		return "";
	return layout->segment == 0x2e ? ",pn" : layout->segment == 0x3e ? ",pt" : "";
}
