/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of an entry; see DWARF 5, section 6.4. expression.c evaluates the
 * expressions of the rules. */

#include "collector/unwind/instructions.h"

#define STATES_KEPT	   3 /* DW_CFA_remember_state; compilers nest once */
#define INSTRUCTIONS_LIMIT 65536

/* The encoding of an instruction's operand. FACTORED ones count units of the
 * alignment. */
enum operand {
	NONE,
	U8,
	U16,
	U32,
	U64,
	ADDRESS,
	REGISTER,
	UNSIGNED,
	UNSIGNED_FACTORED,
	SIGNED_FACTORED,
	BLOCK,
};

enum {
	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE_LOC1 = 0x02,
	CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_ARGS_SIZE = 0x2e,
	CFA_NEGATIVE_OFFSET_EXTENDED = 0x2f,

	CFA_ADVANCE_LOC = 0x40, /* the upper two bits; the others are an operand */
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
};

struct form {
	bool is_known;
	uint8_t first, second; /* enum operand */
};

static const struct form forms[0x40] = {
	[CFA_NOP] = { true, NONE, NONE },
	[CFA_SET_LOC] = { true, ADDRESS, NONE },
	[CFA_ADVANCE_LOC1] = { true, U8, NONE },
	[CFA_ADVANCE_LOC2] = { true, U16, NONE },
	[CFA_ADVANCE_LOC4] = { true, U32, NONE },
	[CFA_OFFSET_EXTENDED] = { true, REGISTER, UNSIGNED_FACTORED },
	[CFA_RESTORE_EXTENDED] = { true, REGISTER, NONE },
	[CFA_UNDEFINED] = { true, REGISTER, NONE },
	[CFA_SAME_VALUE] = { true, REGISTER, NONE },
	[CFA_REGISTER] = { true, REGISTER, UNSIGNED },
	[CFA_REMEMBER_STATE] = { true, NONE, NONE },
	[CFA_RESTORE_STATE] = { true, NONE, NONE },
	[CFA_DEF_CFA] = { true, REGISTER, UNSIGNED },
	[CFA_DEF_CFA_REGISTER] = { true, REGISTER, NONE },
	[CFA_DEF_CFA_OFFSET] = { true, NONE, UNSIGNED },
	[CFA_DEF_CFA_EXPRESSION] = { true, NONE, BLOCK },
	[CFA_EXPRESSION] = { true, REGISTER, BLOCK },
	[CFA_OFFSET_EXTENDED_SF] = { true, REGISTER, SIGNED_FACTORED },
	[CFA_DEF_CFA_SF] = { true, REGISTER, SIGNED_FACTORED },
	[CFA_DEF_CFA_OFFSET_SF] = { true, NONE, SIGNED_FACTORED },
	[CFA_VAL_OFFSET] = { true, REGISTER, UNSIGNED_FACTORED },
	[CFA_VAL_OFFSET_SF] = { true, REGISTER, SIGNED_FACTORED },
	[CFA_VAL_EXPRESSION] = { true, REGISTER, BLOCK },
	[CFA_ARGS_SIZE] = { true, UNSIGNED, NONE },
	[CFA_NEGATIVE_OFFSET_EXTENDED] = { true, REGISTER, UNSIGNED_FACTORED },
};

/* One run through an entry's instructions. */
struct machine {
	struct cursor cursor;
	const struct cfi_common *common;
	uintptr_t location, pc;
	struct cfi_rules *rules;
	const struct cfi_state
		*initial; /* for restore; NULL in the common entry itself */
	unsigned depth;
	struct cfi_state kept[STATES_KEPT];
};

static int64_t read_operand(struct machine *machine, enum operand operand)
{
	struct cursor *cursor = &machine->cursor;
	int64_t value = 0;

	switch (operand) {
	case NONE:
		break;
	case U8:
		return read_u8(cursor);
	case U16:
		return read_u16(cursor);
	case U32:
		return read_u32(cursor);
	case U64:
		return (int64_t)read_u64(cursor);
	case ADDRESS:
		return (int64_t)cfi_read_encoded(cursor, machine->common->encoding);
	case REGISTER:
	case UNSIGNED:
		return (int64_t)read_uleb(cursor);
	case UNSIGNED_FACTORED:
		value = (int64_t)read_uleb(cursor);
		return (int64_t)((uint64_t)value * (uint64_t)machine->common->data_align);
	case SIGNED_FACTORED:
		value = read_sleb(cursor);
		return (int64_t)((uint64_t)value * (uint64_t)machine->common->data_align);
	case BLOCK:
		value = (int64_t)(cursor->at - machine->rules->entry);
		cursor_skip(cursor, read_uleb(cursor));
		break;
	}
	return value;
}

/* Set a rule. Those of vector registers and others that are not tracked are skipped. */
static bool set_rule(struct machine *machine, uint64_t which, enum rule_kind kind,
		     int64_t value)
{
	if (value != (int32_t)value)
		return false;
	if (which < REGISTERS) {
		machine->rules->state.kinds[which] = kind;
		machine->rules->state.values[which] = (int32_t)value;
	}
	return true;
}

static bool set_cfa(struct machine *machine, bool is_expression, uint64_t base,
		    int64_t value)
{
	if (base >= REGISTERS || value != (int32_t)value)
		return false;
	machine->rules->state.cfa_is_expression = is_expression;
	machine->rules->state.cfa_register = (uint8_t)base;
	machine->rules->state.cfa_value = (int32_t)value;
	return true;
}

static bool restore(struct machine *machine, uint64_t which)
{
	if (which >= REGISTERS)
		return true;
	if (!machine->initial)
		return false;
	return set_rule(machine, which, machine->initial->kinds[which],
			machine->initial->values[which]);
}

static bool remember_state(struct machine *machine)
{
	if (machine->depth == STATES_KEPT)
		return false;
	machine->kept[machine->depth++] = machine->rules->state;
	return true;
}

static bool restore_state(struct machine *machine)
{
	if (machine->depth == 0)
		return false;
	machine->rules->state = machine->kept[--machine->depth];
	return true;
}

static void advance(struct machine *machine, uint64_t units)
{
	uint64_t distance = units * machine->common->code_align;

	if (machine->pc - machine->location < distance)
		machine->cursor.at =
			machine->cursor.end; /* the rules so far apply at pc */
	machine->location += distance;
}

static bool execute(struct machine *machine, unsigned code, int64_t first, int64_t second)
{
	const struct cfi_state *state = &machine->rules->state;
	uint64_t which = (uint64_t)first;

	switch (code) {
	case CFA_NOP:
	case CFA_ARGS_SIZE:
		return true;
	case CFA_SET_LOC:
		if (which > machine->pc)
			machine->cursor.at = machine->cursor.end;
		machine->location = which;
		return true;
	case CFA_ADVANCE_LOC1:
	case CFA_ADVANCE_LOC2:
	case CFA_ADVANCE_LOC4:
		advance(machine, which);
		return true;
	case CFA_OFFSET_EXTENDED:
	case CFA_OFFSET_EXTENDED_SF:
		return set_rule(machine, which, RULE_OFFSET, second);
	case CFA_NEGATIVE_OFFSET_EXTENDED:
		return set_rule(machine, which, RULE_OFFSET,
				(int64_t) - (uint64_t)second);
	case CFA_RESTORE_EXTENDED:
		return restore(machine, which);
	case CFA_UNDEFINED:
		return set_rule(machine, which, RULE_UNDEFINED, 0);
	case CFA_SAME_VALUE:
		return set_rule(machine, which, RULE_SAME, 0);
	case CFA_REGISTER:
		return set_rule(machine, which, RULE_REGISTER, second);
	case CFA_REMEMBER_STATE:
		return remember_state(machine);
	case CFA_RESTORE_STATE:
		return restore_state(machine);
	case CFA_DEF_CFA:
	case CFA_DEF_CFA_SF:
		return set_cfa(machine, false, which, second);
	case CFA_DEF_CFA_REGISTER:
		return set_cfa(machine, false, which, state->cfa_value);
	case CFA_DEF_CFA_OFFSET:
	case CFA_DEF_CFA_OFFSET_SF:
		return set_cfa(machine, false, state->cfa_register, second);
	case CFA_DEF_CFA_EXPRESSION:
		return set_cfa(machine, true, 0, second);
	case CFA_EXPRESSION:
		return set_rule(machine, which, RULE_EXPRESSION, second);
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		return set_rule(machine, which, RULE_VALUE_OFFSET, second);
	case CFA_VAL_EXPRESSION:
		return set_rule(machine, which, RULE_VALUE_EXPRESSION, second);
	}
	return false;
}

static bool run_instruction(struct machine *machine)
{
	unsigned code = read_u8(&machine->cursor);
	unsigned operand = code & 0x3f;
	const struct form *form = &forms[operand];
	int64_t first, second;

	switch (code & 0xc0) {
	case CFA_ADVANCE_LOC:
		advance(machine, operand);
		return true;
	case CFA_OFFSET:
		second = read_operand(machine, UNSIGNED_FACTORED);
		return set_rule(machine, operand, RULE_OFFSET, second);
	case CFA_RESTORE:
		return restore(machine, operand);
	}
	if (!form->is_known)
		return false;
	first = read_operand(machine, form->first);
	second = read_operand(machine, form->second);
	return execute(machine, code, first, second);
}

static bool run(struct machine *machine)
{
	for (unsigned i = 0; i < INSTRUCTIONS_LIMIT; i++) {
		if (machine->cursor.at == machine->cursor.end)
			return !machine->cursor.failed;
		if (!run_instruction(machine) || machine->cursor.failed)
			return false;
	}
	return false;
}

bool cfi_run_entry(struct cfi_rules *rules, const struct cfi_entry *entry, uintptr_t pc)
{
	struct machine machine; /* kept[] need not be cleared */
	struct cfi_state initial;

	machine.cursor = entry->common.instructions;
	machine.common = &entry->common;
	machine.location = entry->start;
	machine.pc = pc;
	machine.rules = rules;
	machine.initial = NULL;
	machine.depth = 0;
	if (!run(&machine))
		return false;
	initial = rules->state;
	machine.cursor = entry->instructions;
	machine.initial = &initial;
	machine.location = entry->start;
	machine.depth = 0;
	return run(&machine);
}
