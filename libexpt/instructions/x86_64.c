/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86-64, which capstone reads. */
#include <capstone/capstone.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/late.h"
#include "libexpt/common/error.h"
#include "libexpt/instructions/step.h"
#include "libexpt/instructions/x86_64_kinds.h"
#include "libexpt/instructions/x86_64_registers.h"

#define FUNCTIONS(F) \
	F(cs_open)   \
	F(cs_close)  \
	F(cs_option) F(cs_malloc) F(cs_free) F(cs_disasm_iter) F(cs_regs_access)

FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library capstone =
	LATE_LIBRARY(LATE_LIBCAPSTONE(CS_API_MAJOR), functions);

struct step_reader {
	csh handle;
	cs_insn *instruction;
};

/* ---- operands ---------------------------------------------------------------------- */

static int part_of(x86_reg name)
{
	unsigned width;

	return name == X86_REG_INVALID ? REGISTER_NONE : x86_64_register(name, &width);
}

static void take_memory(struct step *step, const cs_x86_op *from)
{
	const x86_op_mem *memory = &from->mem;
	struct operand *operand = &step->operand;

	*operand = (struct operand){
		.base = (int8_t)part_of(memory->base),
		.index = (int8_t)part_of(memory->index),
		.scale = (uint8_t)memory->scale,
		.displacement = memory->disp,
		.is_thread = memory->segment == X86_REG_FS,
	};
	if (memory->segment == X86_REG_GS)
		operand->base = REGISTER_OTHER;
	if (memory->base != X86_REG_RIP)
		return;
	operand->base = REGISTER_NONE;
	operand->is_relative = true;
	operand->displacement =
		(int64_t)((uint64_t)operand->displacement + step->address + step->size);
}

static void take_written(struct step *step, const struct step_reader *reader)
{
	cs_regs read, written;
	uint8_t read_count = 0, written_count = 0;

	if (late_cs_regs_access(reader->handle, reader->instruction, read, &read_count,
				written, &written_count) != 0) {
		step->written = UINT32_MAX;
		return;
	}
	for (uint8_t i = 0; i < written_count; i++) {
		unsigned width;
		int number = x86_64_register(written[i], &width);

		if (number >= 0)
			step->written |= UINT32_C(1) << number;
	}
}

/* ---- instructions ------------------------------------------------------------------ */

static bool is_in(const cs_insn *instruction, uint8_t group)
{
	for (uint8_t i = 0; i < instruction->detail->groups_count; i++)
		if (instruction->detail->groups[i] == group)
			return true;
	return false;
}

/* false: it does not change what runs next. */
static bool read_flow(struct reading *reading)
{
	const cs_insn *instruction = reading->instruction;
	struct step *step = reading->step;

	if (is_in(instruction, X86_GRP_CALL))
		step->kind = STEP_CALL;
	else if (is_in(instruction, X86_GRP_JUMP))
		step->kind = instruction->id == X86_INS_JMP ||
					     instruction->id == X86_INS_LJMP
				     ? STEP_JUMP
				     : STEP_BRANCH;
	else if (is_in(instruction, X86_GRP_RET) || is_in(instruction, X86_GRP_IRET))
		step->kind = STEP_RETURN;
	else
		return false;
	step->has_target = is_number(reading->to);
	if (step->has_target)
		step->target = (uint64_t)reading->to->imm;
	return true;
}

static bool is_no_access(unsigned id)
{
	switch (id) {
	case X86_INS_LEA:
	case X86_INS_NOP:
	case X86_INS_PREFETCH:
	case X86_INS_PREFETCHNTA:
	case X86_INS_PREFETCHT0:
	case X86_INS_PREFETCHT1:
	case X86_INS_PREFETCHT2:
	case X86_INS_PREFETCHW:
		return true;
	default:
		return false;
	}
}

static void take_operands(struct reading *reading)
{
	const cs_x86 *all = &reading->instruction->detail->x86;
	struct step *step = reading->step;
	bool is_moving;

	reading->to = all->op_count > 0 ? &all->operands[0] : NULL;
	reading->from = all->op_count > 1 ? &all->operands[1] : NULL;
	reading->to_number = reading->from_number = REGISTER_OTHER;
	if (is_register(reading->to))
		reading->to_number =
			x86_64_register(reading->to->reg, &reading->to_width);
	if (is_register(reading->from))
		reading->from_number =
			x86_64_register(reading->from->reg, &reading->from_width);
	is_moving = all->prefix[0] == X86_PREFIX_REP ||
		    all->prefix[0] == X86_PREFIX_REPNE;
	step->to = (int8_t)reading->to_number;
	step->from = (int8_t)reading->from_number;
	for (uint8_t i = 0; i < all->op_count; i++) {
		const cs_x86_op *operand = &all->operands[i];

		if (!is_memory(operand))
			continue;
		take_memory(step, operand);
		step->operand.is_moving = is_moving;
		step->is_access = !is_no_access(reading->instruction->id);
		step->is_write = (operand->access & CS_AC_WRITE) != 0;
		step->width = operand->size;
		return;
	}
}

/* ---- public ------------------------------------------------------------------------ */

int step_reader_open(struct step_reader **out, unsigned machine, struct expt_error *err)
{
	struct step_reader *reader;
	int rc = machine == EM_X86_64 ? expt_load(&capstone, err) : -ENOTSUP;

	if (rc < 0)
		return rc;
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return expt_fail(err, -ENOMEM, "cannot read instructions");
	if (late_cs_open(CS_ARCH_X86, CS_MODE_64, &reader->handle) != CS_ERR_OK ||
	    late_cs_option(reader->handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK ||
	    !(reader->instruction = late_cs_malloc(reader->handle))) {
		step_reader_close(reader);
		return expt_fail(err, -ENOMEM, "cannot read instructions");
	}
	*out = reader;
	return 0;
}

void step_reader_close(struct step_reader *reader)
{
	if (!reader)
		return;
	if (reader->instruction)
		late_cs_free(reader->instruction, 1);
	if (reader->handle)
		late_cs_close(&reader->handle);
	free(reader);
}

#define CALL_LOST                                                                       \
	(1 << X86_AX | 1 << X86_DX | 1 << X86_CX | 1 << X86_SI | 1 << X86_DI | 1 << 8 | \
	 1 << 9 | 1 << 10 | 1 << 11)

const struct convention *step_convention(const struct step_reader *reader)
{
	static const struct convention convention = {
		.stack_pointer = X86_SP,
		.frame_pointer = X86_BP,
		.result = X86_AX,
		.more_result = X86_DX,
		.parameters = { X86_DI, X86_SI, X86_DX, X86_CX, 8, 9 },
		.lost = CALL_LOST,
		.address_end = UINT64_C(1) << 56,
		.entry = -8,
		.below = 128,
	};

	return &convention;
}

bool step_read(struct step *step, struct step_reader *reader, const unsigned char *bytes,
	       size_t size, uint64_t address)
{
	struct reading reading = { .step = step };
	uint64_t at = address;

	*step = (struct step){
		.address = address, .size = 1, .to = REGISTER_NONE, .from = REGISTER_NONE
	};
	if (!late_cs_disasm_iter(reader->handle, &bytes, &size, &at, reader->instruction))
		return false;
	reading.instruction = reader->instruction;
	step->size = (uint8_t)reader->instruction->size;
	step->is_filler = reader->instruction->id == X86_INS_NOP ||
			  reader->instruction->id == X86_INS_INT3;
	take_operands(&reading);
	take_written(step, reader);
	if (!read_flow(&reading))
		x86_64_read_kind(&reading);
	return true;
}
