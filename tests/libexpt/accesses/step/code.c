/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/code.h"

#include <capstone/capstone.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct code {
	csh handle;
	cs_insn *instruction;
	char text[256];
};

struct code *code_open(void)
{
	struct code *code = calloc(1, sizeof(*code));

	if (!code || cs_open(CS_ARCH_X86, CS_MODE_64, &code->handle) != CS_ERR_OK)
		errx(2, "cannot start capstone");
	cs_option(code->handle, CS_OPT_DETAIL, CS_OPT_ON);
	code->instruction = cs_malloc(code->handle);
	return code;
}

void code_close(struct code *code)
{
	cs_free(code->instruction, 1);
	cs_close(&code->handle);
	free(code);
}

/* Instructions whose operand is not an access, or is one beside that of the stack. */
static bool is_left_out(const cs_insn *instruction)
{
	static const char *const words[] = { "lea",   "nop",	"push",	   "pop",
					     "call",  "ret",	"fx",	   "clflush",
					     "xsave", "xrstor", "prefetch" };
	const char *name = instruction->mnemonic;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return strcmp(name, "popcnt") != 0;
	return false;
}

static bool is_vector(unsigned number)
{
	return number >= X86_REG_XMM0 && number <= X86_REG_ZMM31;
}

static void add_operand(struct code_instruction *out, const cs_insn *instruction,
			const cs_x86_op *operand)
{
	struct memory_operand *memory = &out->operands[out->count];

	/* Gathers access many addresses. */
	if (operand->type != X86_OP_MEM || is_vector(operand->mem.index) ||
	    out->count == OPERANDS_MAX)
		return;
	*memory = (struct memory_operand){
		.base = operand->mem.base,
		.index = operand->mem.index,
		.segment = operand->mem.segment,
		.scale = operand->mem.scale,
		.displacement = operand->mem.disp,
		.size = operand->size,
	};
	if (memory->base == X86_REG_RIP) {
		memory->base = X86_REG_INVALID;
		memory->displacement += (int64_t)(instruction->address + out->size);
	}
	out->count++;
}

bool code_read(struct code *code, const unsigned char *bytes, size_t size,
	       uint64_t address, struct code_instruction *out)
{
	const cs_insn *instruction = code->instruction;
	const cs_x86 *x86;

	*out = (struct code_instruction){ 0 };
	if (!cs_disasm_iter(code->handle, &bytes, &size, &address, code->instruction))
		return false;
	x86 = &instruction->detail->x86;
	out->size = (unsigned char)instruction->size;
	out->is_repeated = x86->prefix[0] == X86_PREFIX_REP ||
			   x86->prefix[0] == X86_PREFIX_REPNE;
	for (size_t i = 0; i < x86->op_count && !is_left_out(instruction); i++)
		add_operand(out, instruction, &x86->operands[i]);
	/* The prefix is part of the opcode of others. */
	if (out->count > 0 && out->is_repeated)
		out->is_repeated = strncmp(instruction->mnemonic, "rep", 3) == 0;
	return true;
}

const char *code_text(struct code *code)
{
	snprintf(code->text, sizeof(code->text), "%s %s", code->instruction->mnemonic,
		 code->instruction->op_str);
	return code->text;
}

/* Get the value of a register in an address. */
static bool get_register(const struct user_regs_struct *registers, unsigned number,
			 uint64_t *value)
{
	/* clang-format off */
	const struct { unsigned wide, narrow; uint64_t value; } all[] = {
		{ X86_REG_RAX, X86_REG_EAX, registers->rax },
		{ X86_REG_RBX, X86_REG_EBX, registers->rbx },
		{ X86_REG_RCX, X86_REG_ECX, registers->rcx },
		{ X86_REG_RDX, X86_REG_EDX, registers->rdx },
		{ X86_REG_RSI, X86_REG_ESI, registers->rsi },
		{ X86_REG_RDI, X86_REG_EDI, registers->rdi },
		{ X86_REG_RBP, X86_REG_EBP, registers->rbp },
		{ X86_REG_RSP, X86_REG_ESP, registers->rsp },
		{ X86_REG_R8, X86_REG_R8D, registers->r8 },
		{ X86_REG_R9, X86_REG_R9D, registers->r9 },
		{ X86_REG_R10, X86_REG_R10D, registers->r10 },
		{ X86_REG_R11, X86_REG_R11D, registers->r11 },
		{ X86_REG_R12, X86_REG_R12D, registers->r12 },
		{ X86_REG_R13, X86_REG_R13D, registers->r13 },
		{ X86_REG_R14, X86_REG_R14D, registers->r14 },
		{ X86_REG_R15, X86_REG_R15D, registers->r15 },
		{ X86_REG_RIZ, X86_REG_EIZ, 0 },
		{ X86_REG_FS, X86_REG_INVALID, registers->fs_base },
		{ X86_REG_GS, X86_REG_INVALID, registers->gs_base },
	};
	/* clang-format on */

	*value = 0;
	if (number == X86_REG_INVALID)
		return true;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (number == all[i].wide)
			*value = all[i].value;
		else if (number == all[i].narrow)
			*value = (uint32_t)all[i].value;
		else
			continue;
		return true;
	}
	return false;
}

bool code_address(const struct code_instruction *instruction, size_t operand,
		  const struct user_regs_struct *registers, uint64_t *address)
{
	const struct memory_operand *memory = &instruction->operands[operand];
	unsigned segment = memory->segment;
	uint64_t base, index, start;

	if (instruction->is_repeated && registers->rcx == 0)
		return false;
	if (segment != X86_REG_FS && segment != X86_REG_GS)
		segment = X86_REG_INVALID;
	if (!get_register(registers, memory->base, &base) ||
	    !get_register(registers, memory->index, &index) ||
	    !get_register(registers, segment, &start))
		return false;
	*address = start + base + index * (uint64_t)memory->scale +
		   (uint64_t)memory->displacement;
	return true;
}
