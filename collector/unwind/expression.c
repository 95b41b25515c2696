/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of rules: DWARF expressions, in the subset that compilers and libraries use
 * in unwind data, and the application of rules to a set of registers. No operation moves
 * backwards, so every expression ends with its bytes. */

#include "collector/unwind/expression.h"

#include "collector/unwind/cursor.h"

#define STACK_LIMIT 16

enum {
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b,
	OP_CONST4U = 0x0c,
	OP_CONST4S = 0x0d,
	OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_SWAP = 0x16,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_XOR = 0x27,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_NOP = 0x96,
};

struct evaluation {
	struct cursor cursor;
	const struct registers *registers;
	bool may_load;
	unsigned depth;
	uint64_t stack[STACK_LIMIT];
};

static struct cursor expression_at(const struct cfi_rules *rules, int32_t place)
{
	struct cursor cursor = { .at = rules->entry + (uintptr_t)(intptr_t)place,
				 .end = rules->end };
	uint64_t length = read_uleb(&cursor);

	if (cursor_has(&cursor, length))
		cursor.end = cursor.at + length;
	return cursor;
}

static bool push(struct evaluation *evaluation, uint64_t value)
{
	if (evaluation->depth == STACK_LIMIT)
		return false;
	evaluation->stack[evaluation->depth++] = value;
	return true;
}

static bool push_register(struct evaluation *evaluation, unsigned which)
{
	const struct registers *registers = evaluation->registers;
	int64_t offset = read_sleb(&evaluation->cursor);

	if (which >= REGISTERS || !(registers->known & 1u << which))
		return false;
	return push(evaluation, registers->value[which] + (uint64_t)offset);
}

static bool push_constant(struct evaluation *evaluation, unsigned code)
{
	struct cursor *cursor = &evaluation->cursor;

	switch (code) {
	case OP_CONST1U:
		return push(evaluation, read_u8(cursor));
	case OP_CONST1S:
		return push(evaluation, (uint64_t)(int8_t)read_u8(cursor));
	case OP_CONST2U:
		return push(evaluation, read_u16(cursor));
	case OP_CONST2S:
		return push(evaluation, (uint64_t)(int16_t)read_u16(cursor));
	case OP_CONST4U:
		return push(evaluation, read_u32(cursor));
	case OP_CONST4S:
		return push(evaluation, (uint64_t)(int32_t)read_u32(cursor));
	case OP_CONST8U:
	case OP_CONST8S:
		return push(evaluation, read_u64(cursor));
	case OP_CONSTU:
		return push(evaluation, read_uleb(cursor));
	}
	return push(evaluation, (uint64_t)read_sleb(cursor));
}

/* Perform an operation on the topmost value. */
static bool change_top(struct evaluation *evaluation, unsigned code)
{
	uint64_t *top = evaluation->stack + evaluation->depth - 1;

	if (evaluation->depth < 1)
		return false;
	switch (code) {
	case OP_DEREF:
		if (!evaluation->may_load)
			return false;
		*top = load_word(*top, &evaluation->cursor.failed);
		return true;
	case OP_DUP:
		return push(evaluation, *top);
	case OP_DROP:
		evaluation->depth--;
		return true;
	}
	*top += read_uleb(&evaluation->cursor); /* OP_PLUS_UCONST */
	return true;
}

static bool combine(uint64_t *left, unsigned code, uint64_t right)
{
	int64_t a = (int64_t)*left, b = (int64_t)right;

	switch (code) {
	case OP_AND:
		*left &= right;
		return true;
	case OP_OR:
		*left |= right;
		return true;
	case OP_XOR:
		*left ^= right;
		return true;
	case OP_PLUS:
		*left += right;
		return true;
	case OP_MINUS:
		*left -= right;
		return true;
	case OP_MUL:
		*left *= right;
		return true;
	case OP_SHL:
		*left = right < 64 ? *left << right : 0;
		return true;
	case OP_SHR:
		*left = right < 64 ? *left >> right : 0;
		return true;
	case OP_EQ:
		*left = a == b;
		return true;
	case OP_NE:
		*left = a != b;
		return true;
	case OP_GE:
		*left = a >= b;
		return true;
	case OP_GT:
		*left = a > b;
		return true;
	case OP_LE:
		*left = a <= b;
		return true;
	case OP_LT:
		*left = a < b;
		return true;
	}
	return false;
}

/* Perform an operation on the two topmost values. */
static bool change_pair(struct evaluation *evaluation, unsigned code)
{
	uint64_t *left = evaluation->stack + evaluation->depth - 2, right;

	if (evaluation->depth < 2)
		return false;
	right = left[1];
	if (code == OP_OVER)
		return push(evaluation, left[0]);
	if (code == OP_SWAP) {
		left[1] = left[0];
		left[0] = right;
		return true;
	}
	evaluation->depth--;
	return combine(left, code, right);
}

static bool operate(struct evaluation *evaluation)
{
	unsigned code = read_u8(&evaluation->cursor);

	if (code >= OP_LIT0 && code <= OP_LIT31)
		return push(evaluation, code - OP_LIT0);
	if (code >= OP_BREG0 && code <= OP_BREG31)
		return push_register(evaluation, code - OP_BREG0);
	if (code >= OP_CONST1U && code <= OP_CONSTS)
		return push_constant(evaluation, code);
	switch (code) {
	case OP_NOP:
		return true;
	case OP_DEREF:
	case OP_DUP:
	case OP_DROP:
	case OP_PLUS_UCONST:
		return change_top(evaluation, code);
	}
	return change_pair(evaluation, code);
}

static bool evaluate(struct evaluation *evaluation, uint64_t *result)
{
	while (evaluation->cursor.at < evaluation->cursor.end) {
		if (!operate(evaluation) || evaluation->cursor.failed)
			return false;
	}
	if (evaluation->cursor.failed || evaluation->depth == 0)
		return false;
	*result = evaluation->stack[evaluation->depth - 1];
	return true;
}

/* ---- applying rules -------------------------------------------------------------------
 */

/* Evaluate the expression at place; initial, unless NULL, is on the stack at its
 * start. */
static bool expression_value(const struct cfi_rules *rules, int32_t place,
			     const struct registers *registers, const uint64_t *initial,
			     uint64_t *result)
{
	struct evaluation evaluation;

	evaluation.cursor = expression_at(rules, place);
	evaluation.registers = registers;
	evaluation.may_load = true;
	evaluation.depth = 0;
	if (initial)
		push(&evaluation, *initial);
	return evaluate(&evaluation, result);
}

static bool find_cfa(const struct cfi_rules *rules, const struct registers *registers,
		     uint64_t *cfa)
{
	unsigned base = rules->state.cfa_register;

	if (rules->state.cfa_is_expression)
		return expression_value(rules, rules->state.cfa_value, registers, NULL,
					cfa);
	*cfa = registers->value[base] + (uint64_t)(int64_t)rules->state.cfa_value;
	return registers->known >> base & 1;
}

static bool load(uint64_t address, uint64_t *value)
{
	uint32_t failed = 0;

	*value = load_word(address, &failed);
	return !failed;
}

/* Find the caller's value of one register. False: it is unknown. */
static bool find_register(const struct cfi_rules *rules, unsigned which, uint64_t cfa,
			  const struct registers *registers, uint64_t *value)
{
	int32_t operand = rules->state.values[which];
	uint32_t source = which;
	uint64_t address;

	switch ((enum rule_kind)rules->state.kinds[which]) {
	case RULE_DEFAULT:
		if (which == REGISTER_SP) {
			*value = cfa;
			return true;
		}
		if (which == REGISTER_PC)
			return false;
		*value = registers->value[which];
		return registers->known >> which & 1;
	case RULE_REGISTER:
		source = (uint32_t)operand;
		__attribute__((fallthrough));
	case RULE_SAME:
		if (source >= REGISTERS)
			return false;
		*value = registers->value[source];
		return registers->known >> source & 1;
	case RULE_UNDEFINED:
		return false;
	case RULE_OFFSET:
		return load(cfa + (uint64_t)(int64_t)operand, value);
	case RULE_VALUE_OFFSET:
		*value = cfa + (uint64_t)(int64_t)operand;
		return true;
	case RULE_EXPRESSION:
		return expression_value(rules, operand, registers, &cfa, &address) &&
		       load(address, value);
	case RULE_VALUE_EXPRESSION:
		return expression_value(rules, operand, registers, &cfa, value);
	}
	return false;
}

bool cfi_apply(const struct cfi_rules *rules, struct registers *registers)
{
	const uint32_t needed = 1u << REGISTER_PC | 1u << REGISTER_SP;
	struct registers caller = { .known = 0 };
	uint64_t cfa;

	if (!find_cfa(rules, registers, &cfa))
		return false;
	for (unsigned i = 0; i < REGISTERS; i++) {
		if (find_register(rules, i, cfa, registers, &caller.value[i]))
			caller.known |= 1u << i;
	}
	*registers = caller;
	return (caller.known & needed) == needed;
}

/* ---- the forms that fit into a row ----------------------------------------------------
 */

bool cfi_cfa_is_fixed(const struct cfi_rules *rules, uintptr_t pc, int64_t *offset)
{
	const uint64_t anywhere[2] = { 0, UINT64_C(0x10000000) };
	uint64_t result[2];

	for (unsigned i = 0; i < 2; i++) {
		struct evaluation evaluation = { .cursor = expression_at(
							 rules, rules->state.cfa_value) };
		struct registers registers = { .known = 1u << REGISTER_PC |
							1u << REGISTER_SP };

		registers.value[REGISTER_PC] = pc;
		registers.value[REGISTER_SP] = anywhere[i];
		evaluation.registers = &registers;
		if (!evaluate(&evaluation, &result[i]))
			return false;
	}
	*offset = (int64_t)result[0];
	return result[1] - result[0] == anywhere[1];
}

static bool read_base(struct cursor *cursor, unsigned *base, int64_t *offset)
{
	unsigned code = read_u8(cursor);

	*base = code - OP_BREG0;
	*offset = read_sleb(cursor);
	return !cursor->failed && code >= OP_BREG0 && *base < REGISTERS;
}

bool cfi_cfa_is_load(const struct cfi_rules *rules, unsigned *base, int64_t *offset,
		     int64_t *addend)
{
	struct cursor cursor = expression_at(rules, rules->state.cfa_value);

	if (!read_base(&cursor, base, offset) || read_u8(&cursor) != OP_DEREF)
		return false;
	*addend = 0;
	if (cursor.at == cursor.end)
		return !cursor.failed;
	if (read_u8(&cursor) != OP_PLUS_UCONST)
		return false;
	*addend = (int64_t)read_uleb(&cursor);
	return !cursor.failed && cursor.at == cursor.end;
}

bool cfi_is_saved_at(const struct cfi_rules *rules, unsigned which, unsigned *base,
		     int64_t *offset)
{
	struct cursor cursor;

	if (rules->state.kinds[which] != RULE_EXPRESSION)
		return false;
	cursor = expression_at(rules, rules->state.values[which]);
	return read_base(&cursor, base, offset) && cursor.at == cursor.end;
}
