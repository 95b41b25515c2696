/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of instructions of x86-64 that do not change what runs next. */
#ifndef LIBEXPT_INSTRUCTIONS_X86_64_KINDS_H
#define LIBEXPT_INSTRUCTIONS_X86_64_KINDS_H

#include <capstone/capstone.h>

#include "libexpt/instructions/step.h"

struct reading {
	struct step *step;
	const cs_insn *instruction;
	const cs_x86_op *to, *from; /* the first two operands, or NULL */
	int to_number, from_number; /* of their registers */
	unsigned to_width, from_width;
};

static inline bool is_register(const cs_x86_op *operand)
{
	return operand && operand->type == X86_OP_REG;
}

static inline bool is_memory(const cs_x86_op *operand)
{
	return operand && operand->type == X86_OP_MEM;
}

static inline bool is_number(const cs_x86_op *operand)
{
	return operand && operand->type == X86_OP_IMM;
}

/* Set the kind of a step of which the operands are known. */
void x86_64_read_kind(struct reading *reading);

#endif
