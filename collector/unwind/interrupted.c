/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follow the instructions that lead straight to the call, from the last place that a jump
 * may also lead to. Each register has a tag for the origin of its value: equal tags mean
 * equal values.
 */

#include "collector/unwind/interrupted.h"

#include "collector/unwind/decode.h"
#include "collector/unwind/objects.h"

#define CALLERS_LIMIT  3
#define FUNCTION_LIMIT 16384
#define CALL_LENGTH    5
#define REGISTERS_USED 16 /* by their numbers in instructions */
#define BIT(number)    (1u << (number))
#define BY_CALLS       (BIT(0) | BIT(1) | BIT(11)) /* the kernel changes ax, cx and r11 */
#define ALL	       BIT(NUMBER_OF_SP)	   /* without sp all tags are useless */

/* The upper half of a tag, with the meaning of the lower half: */
enum origin {
	ORIGIN_ENTRY = 1, /* the register that had the value on entry to the function */
	ORIGIN_CHANGE,	  /* the number of the change that made it */
	ORIGIN_NUMBER,	  /* the value */
	ORIGIN_SP,	  /* the offset of the value's word from sp at the start */
	ORIGIN_BP,	  /* its offset from bp */
};

/* The state just before a call: first of the kernel, then of a function. */
struct search {
	uintptr_t pc, sp, bp;
	uintptr_t start, end; /* the function that contains pc */
	uint64_t tags[REGISTERS_USED];
	uint32_t changes;
	int32_t depth;	 /* how far sp is below its value at the start */
	unsigned wanted; /* the register that holds the number */
	bool has_bp;
};

static uint64_t make_tag(enum origin origin, int32_t detail)
{
	return (uint64_t)origin << 32 | (uint32_t)detail;
}

/* ---- instructions ---- */

/* Give registers, and the stack word with this tag, new unknown values. */
static void lose(struct search *search, uint32_t registers, uint64_t word)
{
	for (unsigned i = 0; i < REGISTERS_USED; i++) {
		uint64_t *tag = &search->tags[i];
		bool is_by_bp = registers & BIT(NUMBER_OF_BP) && *tag >> 32 == ORIGIN_BP;

		if ((registers & (BIT(i) | ALL)) != 0 || is_by_bp || *tag == word)
			*tag = make_tag(ORIGIN_CHANGE, (int32_t)search->changes++);
	}
}

/* Returns the tag of the operand that may be in memory; 0: it is in memory, but not on
 * the stack. */
static uint64_t operand_tag(const struct search *search, const struct instruction *at)
{
	if (modrm_mode(at) == 3)
		return search->tags[modrm_operand(at)];
	if (has_memory_at(at, NUMBER_OF_SP))
		return make_tag(ORIGIN_SP, at->displacement - search->depth);
	return has_memory_at(at, NUMBER_OF_BP) ? make_tag(ORIGIN_BP, at->displacement)
					       : 0;
}

static void set(struct search *search, unsigned number, uint64_t tag)
{
	lose(search, BIT(number), 0);
	if (tag != 0 && number != NUMBER_OF_SP)
		search->tags[number] = tag;
}

static void set_operand(struct search *search, const struct instruction *at, uint64_t tag)
{
	if (modrm_mode(at) == 3)
		set(search, modrm_operand(at), tag);
	else
		lose(search, 0, operand_tag(search, at));
}

/* Handle add, cmp and the like with an immediate. */
static void calculate(struct search *search, const struct instruction *at)
{
	unsigned field = modrm_field(at);

	if (modrm_mode(at) == 3 && modrm_operand(at) == NUMBER_OF_SP && field % 5 == 0)
		search->depth += field == 0 ? -at->immediate : at->immediate;
	else if (field != 7)
		set_operand(search, at, 0);
}

/* Returns whether this may write to the upper byte of a register: without a REX prefix,
 * the numbers 4 to 7 of an instruction on bytes are ah, ch, dh and bh. */
static bool is_on_upper_byte(const struct instruction *at)
{
	bool is_arithmetic = at->opcode <= 0x33 && at->has_modrm;

	if (at->rex != 0 || (at->opcode & 1) != 0)
		return false;
	if (is_arithmetic && (at->opcode & 2) != 0)
		return modrm_register(at) >= 4;
	return (is_arithmetic || at->opcode == 0x80 || at->opcode == 0xc6 ||
		at->opcode == 0xf6) &&
	       modrm_mode(at) == 3 && modrm_operand(at) >= 4;
}

/* False: any register may have changed, or the function continues elsewhere. */
static bool follow_one_byte(struct search *search, const struct instruction *at)
{
	unsigned number = (at->opcode & 7) | (at->rex & REX_B ? 8 : 0);

	if (is_on_upper_byte(at))
		return false;
	switch (at->opcode) {
	case 0x00 ... 0x37: /* add, or, adc, sbb, and, sub, xor */
		if (!at->has_modrm)
			set(search, 0, 0);
		else if (at->opcode & 2)
			set(search, modrm_register(at), 0);
		else
			set_operand(search, at, 0);
		return true;
	case 0x50 ... 0x57: /* push */
	case 0x68:
	case 0x6a:
		search->depth += 8;
		return true;
	case 0x58 ... 0x5f: /* pop */
		search->depth -= 8;
		set(search, number, 0);
		return true;
	case 0x80:
	case 0x81:
	case 0x83:
		calculate(search, at);
		return true;
	case 0x89: /* mov */
		set_operand(search, at, search->tags[modrm_register(at)]);
		return true;
	case 0x8b: /* mov */
		set(search, modrm_register(at), operand_tag(search, at));
		return true;
	case 0x8d: /* lea */
		set(search, modrm_register(at), 0);
		return true;
	case 0xb8 ... 0xbf: /* mov */
		set(search, number,
		    at->rex & REX_W ? 0 : make_tag(ORIGIN_NUMBER, at->immediate));
		return true;
	case 0xc7: /* mov */
		set_operand(search, at, make_tag(ORIGIN_NUMBER, at->immediate));
		return true;
	case 0xc6: /* mov */
	case 0xc1: /* shl and others */
		set_operand(search, at, 0);
		return true;
	case 0xf6: /* test, not, neg */
	case 0xf7:
		if (modrm_field(at) >= 2)
			set_operand(search, at, 0);
		return modrm_field(at) < 4;
	case 0x38 ... 0x3d: /* cmp */
	case 0x70 ... 0x7f: /* conditional jumps */
	case 0x84:	    /* test */
	case 0x85:
	case 0x90: /* nop */
	case 0xa8: /* test */
	case 0xa9:
		return true;
	}
	return false;
}

static bool follow(struct search *search, const struct instruction *at)
{
	if (at->map == MAP_ONE_BYTE)
		return !at->is_16_bit && follow_one_byte(search, at);
	if (at->map != MAP_0F)
		return false;
	switch (at->opcode) {
	case 0x05: /* syscall */
		lose(search, BY_CALLS, 0);
		return true;
	case 0x40 ... 0x4f: /* cmov */
	case 0xb6:	    /* movzx, movsx */
	case 0xb7:
	case 0xbe:
	case 0xbf:
		set(search, modrm_register(at), 0);
		return true;
	case 0x1e: /* nop, endbr64 */
	case 0x1f:
	case 0x80 ... 0x8f: /* conditional jumps */
		return true;
	}
	return false;
}

/* ---- a function ---- */

static bool find_function(struct search *search)
{
	struct unwind_object object;
	struct cfi_rules rules;

	if (!objects_find(&object, search->pc) ||
	    objects_find_rules(&rules, &object, search->pc) != CFI_FOUND)
		return false;
	search->start = rules.start;
	search->end = rules.start + rules.size;
	return rules.size <= FUNCTION_LIMIT;
}

/* Is this a jump through a pointer? One through a linkage slot does not count, because it
 * leaves the function. */
static bool is_jump_to_anywhere(const struct instruction *at)
{
	return at->map == MAP_ONE_BYTE && at->opcode == 0xff && modrm_field(at) == 4 &&
	       at->modrm != 0x25;
}

/* Returns the last address up to pc that a jump leads to; 0: it cannot be determined. */
static uintptr_t find_last_target(const struct search *search)
{
	uintptr_t last = search->start - 1;
	struct instruction at;

	for (uintptr_t pc = search->start; pc < search->end; pc += at.length) {
		uintptr_t target;

		if (!decode_instruction(&at, pc, search->end) || is_jump_to_anywhere(&at))
			return 0;
		target = pc + at.length + (uintptr_t)(intptr_t)at.immediate;
		if ((is_jump(&at) || is_conditional_jump(&at)) && target > last &&
		    target <= search->pc)
			last = target;
	}
	return last;
}

/* False: a jump leads to pc itself, or it is unclear where instructions begin. */
static bool follow_all(struct search *search)
{
	uintptr_t target = find_last_target(search), pc = search->start;
	struct instruction at;

	search->depth = 0;
	search->changes = 0;
	for (int32_t i = 0; i < REGISTERS_USED; i++)
		search->tags[i] = make_tag(ORIGIN_ENTRY, i);
	for (; target != 0 && pc < search->pc; pc += at.length) {
		if (pc == target)
			lose(search, ALL, 0);
		if (!decode_instruction(&at, pc, search->end))
			return false;
		if (!follow(search, &at))
			lose(search, ALL, 0);
	}
	return pc == search->pc && pc != target;
}

/* ---- the number ---- */

static bool read_word(uint32_t *number, uintptr_t address)
{
	uint32_t failed = 0;

	*number = guarded_load32(address, &failed);
	return !failed;
}

static bool find_value(uint32_t *number, const struct search *search)
{
	uint64_t tag = search->tags[search->wanted];
	intptr_t detail = (int32_t)tag;

	*number = (uint32_t)detail;
	switch (tag >> 32) {
	case ORIGIN_NUMBER:
		return true;
	case ORIGIN_SP:
		return read_word(number,
				 search->sp + (uintptr_t)(search->depth + detail));
	case ORIGIN_BP:
		return search->has_bp &&
		       read_word(number, search->bp + (uintptr_t)detail);
	}
	return false;
}

/* Look for another register with the same value, which the kernel has preserved. */
static bool find_copy(uint32_t *number, const struct search *search,
		      const ucontext_t *context)
{
	static const uint8_t places[REGISTERS_USED] = {
		REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
		REG_R8,	 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};

	for (unsigned i = 0; i < REGISTERS_USED; i++) {
		if ((BY_CALLS & BIT(i)) != 0 || search->tags[i] != search->tags[0])
			continue;
		*number = (uint32_t)context->uc_mcontext.gregs[places[i]];
		return true;
	}
	return false;
}

/* Go on in the caller, if that passed the number in a register. */
static bool go_to_caller(struct search *search)
{
	uint64_t tag = search->tags[search->wanted];
	uintptr_t at = search->sp + (uintptr_t)(intptr_t)search->depth;
	uint32_t failed = 0;

	if (tag >> 32 != ORIGIN_ENTRY)
		return false;
	search->pc = guarded_load64(at, &failed) - CALL_LENGTH;
	search->sp = at + sizeof(at);
	search->wanted = (uint32_t)tag;
	search->has_bp &= search->tags[NUMBER_OF_BP] ==
			  make_tag(ORIGIN_ENTRY, NUMBER_OF_BP);
	return !failed &&
	       call_target(search->pc + CALL_LENGTH, 0, UINTPTR_MAX) == search->start;
}

bool interrupted_call_number(uint32_t *number, const ucontext_t *context)
{
	struct search search = {
		.pc = context_pc(context) - SYSCALL_LENGTH,
		.sp = context_sp(context),
		.bp = context_bp(context),
		.has_bp = true,
	};
	uint32_t failed = 0;

	if (guarded_load16(search.pc, &failed) != 0x050f)
		return false;
	for (unsigned i = 0; i < CALLERS_LIMIT; i++) {
		if (!find_function(&search) || !follow_all(&search))
			return false;
		if (find_value(number, &search) ||
		    (i == 0 && find_copy(number, &search, context)))
			return true;
		if (!go_to_caller(&search))
			return false;
	}
	return false;
}
