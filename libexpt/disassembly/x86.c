/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An instruction of x86-64 as objdump(1) writes it. The layout gives its size, prefixes
 * and operands in memory. capstone gives the mnemonic, registers and constants: the
 * prefixes that it reads are only those with an effect, each once.
 */
#include "libexpt/disassembly/x86.h"

#include <stdio.h>
#include <string.h>

#include "libexpt/disassembly/x86_compare.h"
#include "libexpt/disassembly/x86_flow.h"
#include "libexpt/disassembly/x86_layout.h"
#include "libexpt/disassembly/x86_memory.h"
#include "libexpt/disassembly/x86_operands.h"
#include "libexpt/disassembly/x86_prefixes.h"
#include "libexpt/disassembly/x86_vector.h"

/* Bytes after the opcode are not part of what is unknown. */
static size_t bad_size(const struct x86_layout *layout)
{
	bool is_float = layout->encoding == X86_LEGACY && layout->map == X86_MAP_1BYTE &&
			(layout->opcode & 0xf8) == 0xd8;

	return layout->opcode_end + (is_float ? 1 : 0);
}

static void set_bad(struct instruction *out, const struct x86_layout *layout,
		    size_t available)
{
	static const struct x86_prefixes none = { 0 };
	struct text mnemonic = TEXT_IN(out->mnemonic);
	bool is_only_prefixes = layout->opcode_end == 0;

	out->kind = EXPT_INSTRUCTION_BAD;
	out->operands[0] = '\0';
	out->size = is_only_prefixes ? layout->prefixes : bad_size(layout);
	if (available > X86_SIZE_MAX)
		available = X86_SIZE_MAX;
	if (out->size > available || out->size == 0) {
		out->size = 1;
		text_add(&mnemonic, INSTRUCTION_BAD);
		return;
	}
	x86_add_prefixes(&mnemonic, layout, &none);
	if (!is_only_prefixes)
		text_add(&mnemonic, INSTRUCTION_BAD);
	else if (mnemonic.length > 0)
		out->mnemonic[mnemonic.length - 1] = '\0';
}

/* ---- one instruction --------------------------------------------------------------- */

static void set_flow(struct instruction *out, const struct x86_layout *layout)
{
	struct x86_flow flow = x86_flow(layout);

	out->kind = flow.kind;
	if (!flow.has_target)
		return;
	out->has_target = true;
	out->target = out->address + out->size +
		      (uint64_t)x86_number(layout, layout->immediate_at,
					   layout->immediate_size);
	if (layout->immediate_size == 2)
		out->target &= UINT16_MAX;
	snprintf(out->operands, sizeof(out->operands), "%llx",
		 (unsigned long long)out->target);
}

static void set_memory(struct instruction *out, const struct x86_layout *layout)
{
	int64_t distance;

	if (!x86_is_relative(layout, &distance))
		return;
	out->has_memory = true;
	out->memory = out->address + out->size + (uint64_t)distance;
}

static void set_vector_text(const struct x86_layout *layout, struct text *mnemonic,
			    struct text *operands)
{
	struct x86_prefixes prefixes = {
		.has_segment = true,
		.has_address_size = x86_has_memory(layout),
		.has_operand_size = layout->encoding == X86_LEGACY,
		.has_repeat = layout->encoding == X86_LEGACY,
	};

	x86_add_prefixes(mnemonic, layout, &prefixes);
	x86_add_vector_instruction(mnemonic, operands, layout);
}

static bool set_text(struct decoder *decoder, const struct x86_layout *layout,
		     struct instruction *out)
{
	struct text mnemonic = TEXT_IN(out->mnemonic);
	struct text operands = TEXT_IN(out->operands);
	struct x86_prefixes prefixes;

	if (x86_is_vector_instruction(layout)) {
		set_vector_text(layout, &mnemonic, &operands);
	} else {
		if (layout->encoding == X86_EVEX || !x86_read(decoder, layout, &prefixes))
			return false;
		x86_add_prefixes(&mnemonic, layout, &prefixes);
		if (!x86_add_instruction(&mnemonic, &operands, layout,
					 decoder->instruction->mnemonic,
					 decoder->instruction->op_str))
			return false;
	}
	x86_name_comparison(&mnemonic, &operands, layout);
	return true;
}

static void disassemble_one(struct decoder *decoder, const unsigned char *bytes,
			    size_t size, struct instruction *out)
{
	struct x86_layout layout;

	x86_lay_out(&layout, bytes, size);
	if (layout.size == 0) {
		set_bad(out, &layout, size);
		return;
	}
	out->size = layout.size;
	if (!set_text(decoder, &layout, out)) {
		set_bad(out, &layout, size);
		return;
	}
	set_flow(out, &layout);
	set_memory(out, &layout);
}

/* fwait is part of a floating point instruction if one without it begins with "fn". */
static bool join_wait(struct decoder *decoder, const unsigned char *bytes, size_t size,
		      struct instruction *out)
{
	struct instruction next = { .address = out->address + 1 };

	if (size < 3 || bytes[0] != 0x9b || (bytes[1] & 0xf8) != 0xd8)
		return false;
	disassemble_one(decoder, bytes + 1, size - 1, &next);
	if (strncmp(next.mnemonic, "fn", 2) != 0 || strcmp(next.mnemonic, "fnop") == 0)
		return false;
	*out = next;
	out->address--;
	out->size++;
	memmove(out->mnemonic + 1, out->mnemonic + 2, strlen(out->mnemonic + 1));
	return true;
}

void x86_disassemble(struct decoder *decoder, const unsigned char *bytes, size_t size,
		     struct instruction *out)
{
	if (!join_wait(decoder, bytes, size, out))
		disassemble_one(decoder, bytes, size, out);
}
