/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/instructions/x86_64_kinds.h"

#include "libexpt/instructions/x86_64_registers.h"

/* Numbers up to this one are followed one by one. */
#define MASK_MAX 15

static void set(struct reading *reading, enum step_kind kind)
{
	reading->step->kind = kind;
	reading->step->is_narrow = reading->to_width == 4;
}

/* Shorter ones leave a part of the register as it was. */
static bool is_wide(const struct reading *reading)
{
	return is_register(reading->to) && reading->to_number >= 0 &&
	       reading->to_width >= 4;
}

static void read_store(struct reading *reading)
{
	reading->step->kind = STEP_STORE;
	if (!is_register(reading->from) || reading->from_width != 8)
		reading->step->from = REGISTER_OTHER;
}

static void read_move(struct reading *reading)
{
	struct step *step = reading->step;

	if (is_memory(reading->to)) {
		read_store(reading);
		return;
	}
	if (!is_wide(reading))
		return;
	if (is_register(reading->from) && reading->from_number >= 0)
		set(reading, STEP_MOVE);
	else if (is_memory(reading->from) && reading->to_width == 8)
		step->kind = STEP_LOAD;
	if (!is_number(reading->from))
		return;
	set(reading, STEP_NUMBER);
	step->number = reading->from->imm;
}

/* The lower half of a register, with its sign. */
static void read_widening(struct reading *reading)
{
	struct step *step = reading->step;

	if (reading->instruction->id == X86_INS_CDQE)
		step->to = step->from = X86_AX;
	else if (!is_wide(reading) || !is_register(reading->from) ||
		 reading->from_number < 0)
		return;
	step->kind = STEP_MOVE;
	step->is_narrow = true;
}

static void read_sum(struct reading *reading)
{
	bool is_less = reading->instruction->id == X86_INS_SUB;
	struct step *step = reading->step;

	if (!is_wide(reading))
		return;
	if (is_number(reading->from)) {
		set(reading, is_less ? STEP_SUBTRACT : STEP_ADD);
		step->number = reading->from->imm;
		step->from = REGISTER_NONE;
	} else if (is_register(reading->from) && reading->from_number >= 0) {
		set(reading, is_less ? STEP_SUBTRACT : STEP_ADD);
	}
}

static void read_product(struct reading *reading)
{
	const cs_x86 *all = &reading->instruction->detail->x86;

	if (!is_wide(reading) || all->op_count != 3 || !is_register(reading->from) ||
	    reading->from_number < 0 || !is_number(&all->operands[2]))
		return;
	set(reading, STEP_MULTIPLY);
	reading->step->number = all->operands[2].imm;
}

static void read_shift(struct reading *reading)
{
	if (!is_wide(reading) || !is_number(reading->from) || reading->from->imm < 0 ||
	    reading->from->imm > 30)
		return;
	set(reading, STEP_MULTIPLY);
	reading->step->from = (int8_t)reading->to_number;
	reading->step->number = (int64_t)1 << reading->from->imm;
}

/* Only small masks are read: numbers in a range come from them. */
static void read_mask(struct reading *reading)
{
	if (!is_wide(reading) || !is_number(reading->from) || reading->from->imm <= 0 ||
	    reading->from->imm > MASK_MAX)
		return;
	set(reading, STEP_MASK);
	reading->step->number = reading->from->imm;
}

static bool is_low_byte(const cs_x86_op *operand, unsigned width)
{
	return is_register(operand) && width == 1 && operand->reg != X86_REG_AH &&
	       operand->reg != X86_REG_BH && operand->reg != X86_REG_CH &&
	       operand->reg != X86_REG_DH;
}

static void read_byte(struct reading *reading)
{
	if (is_wide(reading) && is_low_byte(reading->from, reading->from_width) &&
	    reading->from_number >= 0)
		set(reading, STEP_BYTE);
}

static void read_exclusive(struct reading *reading)
{
	if (is_wide(reading) && is_register(reading->from) &&
	    reading->from_number == reading->to_number)
		set(reading, STEP_NUMBER);
}

static void read_push(struct reading *reading)
{
	reading->step->kind = STEP_PUSH;
	reading->step->from = REGISTER_OTHER;
	if (is_register(reading->to) && reading->to_number >= 0)
		reading->step->from = (int8_t)reading->to_number;
}

static bool is_in_list(unsigned id, const unsigned short ids[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static bool is_conditional_set(unsigned id)
{
	static const unsigned short ids[] = {
		X86_INS_SETA,  X86_INS_SETAE, X86_INS_SETB,  X86_INS_SETBE,
		X86_INS_SETE,  X86_INS_SETG,  X86_INS_SETGE, X86_INS_SETL,
		X86_INS_SETLE, X86_INS_SETNE, X86_INS_SETNO, X86_INS_SETNP,
		X86_INS_SETNS, X86_INS_SETO,  X86_INS_SETP,  X86_INS_SETS,
	};

	return is_in_list(id, ids, sizeof(ids) / sizeof(*ids));
}

static bool is_conditional_move(unsigned id)
{
	static const unsigned short ids[] = {
		X86_INS_CMOVA,	X86_INS_CMOVAE, X86_INS_CMOVB,	X86_INS_CMOVBE,
		X86_INS_CMOVE,	X86_INS_CMOVG,	X86_INS_CMOVGE, X86_INS_CMOVL,
		X86_INS_CMOVLE, X86_INS_CMOVNE, X86_INS_CMOVNO, X86_INS_CMOVNP,
		X86_INS_CMOVNS, X86_INS_CMOVO,	X86_INS_CMOVP,	X86_INS_CMOVS,
	};

	return is_in_list(id, ids, sizeof(ids) / sizeof(*ids));
}

void x86_64_read_kind(struct reading *reading)
{
	struct step *step = reading->step;

	switch (reading->instruction->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		read_move(reading);
		break;
	case X86_INS_MOVSXD:
	case X86_INS_CDQE:
		read_widening(reading);
		break;
	case X86_INS_LEA:
		if (is_wide(reading) && is_memory(reading->from))
			set(reading, STEP_ADDRESS);
		break;
	case X86_INS_ADD:
	case X86_INS_SUB:
		read_sum(reading);
		break;
	case X86_INS_INC:
	case X86_INS_DEC:
		if (!is_wide(reading))
			break;
		set(reading, STEP_ADD);
		step->from = REGISTER_NONE;
		step->number = reading->instruction->id == X86_INS_INC ? 1 : -1;
		break;
	case X86_INS_IMUL:
		read_product(reading);
		break;
	case X86_INS_SHL:
	case X86_INS_SAL:
		read_shift(reading);
		break;
	case X86_INS_AND:
		read_mask(reading);
		break;
	case X86_INS_MOVZX:
		read_byte(reading);
		break;
	case X86_INS_XOR:
		read_exclusive(reading);
		break;
	case X86_INS_PUSH:
		read_push(reading);
		break;
	case X86_INS_POP:
		step->kind = STEP_POP;
		break;
	case X86_INS_LEAVE:
		step->kind = STEP_LEAVE;
		break;
	case X86_INS_HLT:
	case X86_INS_UD2:
	case X86_INS_UD0:
		step->kind = STEP_RETURN;
		break;
	default:
		if (is_conditional_move(reading->instruction->id) &&
		    is_register(reading->from) && reading->to_width == 8)
			step->kind = STEP_MAYBE;
		if (is_conditional_set(reading->instruction->id) &&
		    is_low_byte(reading->to, reading->to_width) &&
		    reading->to_number >= 0)
			step->kind = STEP_FLAG;
		break;
	}
}
