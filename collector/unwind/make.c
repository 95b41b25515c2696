/* SPDX-License-Identifier: Apache-2.0 */
/* Construction of rows, from unwind data or, if code has none, from its shape. */

#include "collector/unwind/expression.h"
#include "collector/unwind/objects.h"
#include "collector/unwind/private.h"
#include "collector/unwind/way_out.h"

#define ENTRY_LIMIT 256 /* bytes of start-up code without unwind data */

static bool is_row_offset(int64_t offset)
{
	return offset >= 0 && offset < ROW_OFFSET_LIMIT && offset % 8 == 0;
}

/* Returns the bp slot of a row, or -1 if the rule does not fit. */
static int bp_slot(const struct cfi_rules *rules)
{
	int64_t offset = rules->state.values[REGISTER_BP];

	switch (rules->state.kinds[REGISTER_BP]) {
	case RULE_DEFAULT:
	case RULE_SAME:
	case RULE_UNDEFINED:
		return 0;
	case RULE_OFFSET:
		if (offset <= -16 && offset >= -8 - 8 * ROW_BP_SLOTS && offset % 8 == 0)
			return (int)(-offset / 8 - 1);
	}
	return -1;
}

/* Make a row for a CFA expression: of a linkage stub, or of code that aligns its
 * stack. */
static uint32_t row_of_expression(const struct cfi_rules *rules, uintptr_t pc)
{
	int slot = bp_slot(rules);
	unsigned base, bp_base;
	int64_t offset, addend, bp_offset;

	if (slot >= 0 && cfi_cfa_is_fixed(rules, pc, &offset) && is_row_offset(offset))
		return row_make(ROW_SP, (unsigned)slot, offset);
	if (!cfi_cfa_is_load(rules, &base, &offset, &addend))
		return ROW_OTHER;
	if (slot >= 0 && base == REGISTER_SP && addend == 8 && is_row_offset(offset))
		return row_make(ROW_SAVED_SP, (unsigned)slot, offset);
	if (base == REGISTER_BP && addend == 0 && is_row_offset(-offset) &&
	    cfi_is_saved_at(rules, REGISTER_BP, &bp_base, &bp_offset) &&
	    bp_base == REGISTER_BP && bp_offset == 0)
		return row_make(ROW_SAVED_BP, 0, -offset);
	return ROW_OTHER;
}

static uint32_t row_of_rules(const struct cfi_rules *rules, uintptr_t pc)
{
	int slot = bp_slot(rules);

	if (rules->state.kinds[REGISTER_PC] == RULE_UNDEFINED)
		return ROW_END;
	if (rules->is_signal_frame)
		return is_signal_return(pc) ? ROW_SIGNAL : ROW_OTHER;
	if (rules->state.kinds[REGISTER_PC] != RULE_OFFSET ||
	    rules->state.values[REGISTER_PC] != -8 ||
	    (rules->state.kinds[REGISTER_SP] != RULE_DEFAULT))
		return ROW_OTHER;
	if (rules->state.cfa_is_expression)
		return row_of_expression(rules, pc);
	if (slot < 0 || !is_row_offset(rules->state.cfa_value))
		return ROW_OTHER;
	if (rules->state.cfa_register == REGISTER_SP)
		return row_make(ROW_SP, (unsigned)slot, rules->state.cfa_value);
	if (rules->state.cfa_register == REGISTER_BP)
		return row_make(ROW_BP, (unsigned)slot, rules->state.cfa_value);
	return ROW_OTHER;
}

/* Make a row for code without unwind data that has a known shape. */
static uint32_t row_of_code(const struct unwind_object *object, uintptr_t pc)
{
	struct way_out way;
	unsigned frame;

	if (is_signal_return(pc))
		return ROW_SIGNAL;
	if (object->entry && pc - object->entry < ENTRY_LIMIT)
		return ROW_END;
	if (is_jump_stub(pc))
		return row_make(ROW_SP, 0, 8);
	if ((frame = start_file_frame(pc)) != 0)
		return row_make(ROW_SP, 0, frame);
	if (way_out_find(&way, pc, object->low, object->high))
		return row_without_rules(way_out_pack(&way));
	return ROW_WITHOUT_RULES;
}

/* Add the length of the call before a return address, or end the stack there. No
 * instruction begins at the last byte of a call, so these rows never apply to an
 * interrupted instruction. */
static uint32_t add_call(uint32_t row, const struct unwind_object *object, uintptr_t pc)
{
	unsigned length = call_length(pc, object->low, object->high);

	if (!length && is_stack_root(pc))
		return ROW_END;
	if (is_stack_switch(pc))
		row = ROW_SWITCH;
	return row | length << 8;
}

/* Make a row for an address outside all objects: of code made at run time, if it is
 * code. */
static uint32_t row_of_made_code(uintptr_t address, uintptr_t pc, bool may_look)
{
	bool is_caller = address != pc && may_look && is_possible_code(pc);

	return ROW_WITHOUT_RULES | (is_caller ? call_length(pc, 0, 0) << 8 : 0);
}

uint32_t rows_make(row_entry *rows, uintptr_t address, uintptr_t pc, bool may_look)
{
	uint32_t generation = objects_generation(), row;
	struct unwind_object object;
	struct cfi_rules rules;

	if (!objects_find(&object, address))
		return row_of_made_code(address, pc, may_look);
	if (objects_find_rules(&rules, &object, address) == CFI_FOUND)
		row = row_of_rules(&rules, pc);
	else
		row = row_of_code(&object, pc);
	if (address != pc)
		row = add_call(row, &object, pc);
	if (!object.is_published) /* nothing reports when it is unloaded */
		return row;
	rows_add(rows, address, row);
	atomic_thread_fence(memory_order_seq_cst);
	if (objects_generation() != generation)
		rows_remove(rows, address);
	return row;
}
