/* SPDX-License-Identifier: Apache-2.0 */
/* .eh_frame_hdr, .eh_frame and the instructions in it; see the Linux Standard Base, and DWARF 5
 * section 6.4. What the rules' expressions mean is in unwind_expression.c. */

#include <collector/unwind_cfi.h>

#include <collector/unwind_cursor.h>

#define STATES_KEPT	   3	 /* DW_CFA_remember_state; compilers nest once */
#define SEARCH_LIMIT	   65536 /* entries looked at where there is no table */
#define INSTRUCTIONS_LIMIT 65536

/* ---- encoded pointers ----------------------------------------------------------------- */

enum {
	ENCODING_ABSOLUTE = 0x00,
	ENCODING_ULEB = 0x01,
	ENCODING_U16 = 0x02,
	ENCODING_U32 = 0x03,
	ENCODING_U64 = 0x04,
	ENCODING_SLEB = 0x09,
	ENCODING_S16 = 0x0a,
	ENCODING_S32 = 0x0b,
	ENCODING_S64 = 0x0c,
	ENCODING_FORM = 0x0f,
	ENCODING_PC_RELATIVE = 0x10,
	ENCODING_BASE = 0x70,
	ENCODING_INDIRECT = 0x80,
	ENCODING_OMITTED = 0xff,

	ENCODING_TABLE = 0x30 | ENCODING_S32, /* relative to the header: the only one in use */
};

static uint64_t read_encoded(struct cursor *cursor, unsigned encoding)
{
	uintptr_t base = (encoding & ENCODING_BASE) == ENCODING_PC_RELATIVE ? cursor->at
									    : 0;

	switch (encoding & ENCODING_FORM) {
	case ENCODING_ABSOLUTE:
	case ENCODING_U64:
	case ENCODING_S64:
		return base + read_u64(cursor);
	case ENCODING_ULEB:
		return base + read_uleb(cursor);
	case ENCODING_SLEB:
		return base + (uint64_t)read_sleb(cursor);
	case ENCODING_U16:
		return base + read_u16(cursor);
	case ENCODING_S16:
		return base + (uint64_t)(int16_t)read_u16(cursor);
	case ENCODING_U32:
		return base + read_u32(cursor);
	case ENCODING_S32:
		return base + (uint64_t)(int32_t)read_u32(cursor);
	}
	cursor->failed = 1;
	return 0;
}

static bool is_plain_encoding(unsigned encoding)
{
	unsigned base = encoding & ENCODING_BASE;

	return !(encoding & ENCODING_INDIRECT) &&
	       (base == 0 || base == ENCODING_PC_RELATIVE);
}

/* ---- the table ------------------------------------------------------------------------ */

bool cfi_section_init(struct cfi_section *section, uintptr_t header, uintptr_t low,
		      uintptr_t high)
{
	struct cursor cursor = { .at = header, .end = high };
	unsigned version, frames_encoding, count_encoding, table_encoding;
	uint64_t count;

	*section = (struct cfi_section){ .low = low, .high = high };
	if (header < low || header >= high)
		return false;
	version = read_u8(&cursor);
	frames_encoding = read_u8(&cursor);
	count_encoding = read_u8(&cursor);
	table_encoding = read_u8(&cursor);
	if (cursor.failed || version != 1 || !is_plain_encoding(frames_encoding))
		return false;
	section->frames = read_encoded(&cursor, frames_encoding);
	if (cursor.failed || section->frames < low || section->frames >= high)
		return false;
	section->header = header;
	if (count_encoding == ENCODING_OMITTED || table_encoding != ENCODING_TABLE)
		return true;
	count = read_encoded(&cursor, count_encoding);
	if (cursor.failed || count > (high - cursor.at) / 8)
		return true;
	section->table = cursor.at;
	section->count = (uint32_t)count;
	return true;
}

/* A part of the table: entries before low start at or before pc, those from high on behind it. */
struct span {
	uint32_t low, high;
};

static bool starts_behind(const struct cfi_section *section, uint32_t index, uintptr_t pc)
{
	uint32_t failed = 0;
	int32_t start = (int32_t)guarded_load32(section->table + 8ul * index, &failed);

	return start > (int64_t)(pc - section->header);
}

/* From an entry that is probably near, in growing steps until pc lies between two. */
static struct span near(const struct cfi_section *section, uintptr_t pc, uint32_t index)
{
	struct span span = { .low = 0, .high = section->count };
	uint32_t step = 1;

	if (starts_behind(section, index, pc)) {
		for (span.high = index; step <= span.high; step *= 2) {
			if (!starts_behind(section, span.high - step, pc)) {
				span.low = span.high - step + 1;
				break;
			}
			span.high -= step;
		}
		return span;
	}
	for (span.low = index + 1; step < section->count - span.low; step *= 2) {
		if (starts_behind(section, span.low + step, pc)) {
			span.high = span.low + step;
			break;
		}
		span.low += step + 1;
	}
	return span;
}

/* The last entry of the table that starts at or before pc; 0: none. */
static uintptr_t search_table(const struct cfi_section *section, uintptr_t pc,
			      uint32_t *hint)
{
	struct span span = { .low = 0, .high = section->count };
	uint32_t failed = 0, entry;

	if (*hint && *hint < section->count)
		span = near(section, pc, *hint);
	while (span.low < span.high) {
		uint32_t middle = span.low + (span.high - span.low) / 2;

		if (starts_behind(section, middle, pc))
			span.high = middle;
		else
			span.low = middle + 1;
	}
	if (span.low == 0)
		return 0;
	*hint = span.low - 1;
	entry = guarded_load32(section->table + 8ul * (span.low - 1) + 4, &failed);
	return failed ? 0 : section->header + (uintptr_t)(int32_t)entry;
}

/* ---- entries -------------------------------------------------------------------------- */

/* What a common information entry says. */
struct common {
	struct cursor instructions;
	uint64_t code_align;
	int64_t data_align;
	unsigned encoding;
	bool is_signal_frame, has_augmentation;
};

/* Moves the cursor behind the length and makes it end where the entry does. */
static bool enter(struct cursor *cursor)
{
	uint64_t length = read_u32(cursor);

	if (length == 0xffffffff)
		length = read_u64(cursor);
	if (cursor->failed || length == 0 || length > cursor->end - cursor->at)
		return false;
	cursor->end = cursor->at + length;
	return true;
}

/* The letters behind 'z', each with its data. */
static bool read_augmentation(struct common *common, struct cursor *letters,
			      struct cursor *data)
{
	for (;;) {
		unsigned encoding;

		switch (read_u8(letters)) {
		case 0:
			return !letters->failed && !data->failed;
		case 'R':
			common->encoding = read_u8(data);
			break;
		case 'P':
			encoding = read_u8(data);
			read_encoded(data, encoding);
			break;
		case 'L':
			read_u8(data);
			break;
		case 'S':
			common->is_signal_frame = true;
			break;
		default: /* the rest is behind the length, but we would not know what it means */
			return false;
		}
	}
}

static bool skip_text(struct cursor *cursor)
{
	while (read_u8(cursor))
		;
	return !cursor->failed;
}

static bool read_common(struct common *common, const struct cfi_section *section,
			uintptr_t at)
{
	struct cursor cursor = { .at = at, .end = section->high }, letters, data;
	unsigned version, first;

	*common = (struct common){ .encoding = ENCODING_ABSOLUTE };
	if (at < section->low || at >= section->high || !enter(&cursor) ||
	    read_u32(&cursor) != 0)
		return false;
	version = read_u8(&cursor);
	letters = cursor;
	if ((version != 1 && version != 3) || !skip_text(&cursor))
		return false;
	common->code_align = read_uleb(&cursor);
	common->data_align = read_sleb(&cursor);
	if ((version == 1 ? read_u8(&cursor) : read_uleb(&cursor)) != REGISTER_PC)
		return false;
	first = read_u8(&letters);
	if (first == 'z') {
		uint64_t length = read_uleb(&cursor);

		data = cursor;
		cursor_skip(&cursor, length);
		data.end = cursor.at;
		common->has_augmentation = true;
		if (cursor.failed || !read_augmentation(common, &letters, &data))
			return false;
	} else if (first != 0) {
		return false;
	}
	common->instructions = cursor;
	return !cursor.failed && is_plain_encoding(common->encoding);
}

/* A function's entry: what it covers, and its instructions. */
struct entry {
	uintptr_t start, size;
	struct common common;
	struct cursor instructions;
};

static bool read_entry(struct entry *entry, const struct cfi_section *section, uintptr_t at)
{
	struct cursor cursor = { .at = at, .end = section->high };
	uintptr_t here;
	uint32_t distance;

	if (at < section->low || at >= section->high || !enter(&cursor))
		return false;
	here = cursor.at;
	distance = read_u32(&cursor);
	if (cursor.failed || distance == 0 ||
	    !read_common(&entry->common, section, here - distance))
		return false;
	entry->start = read_encoded(&cursor, entry->common.encoding);
	entry->size = read_encoded(&cursor, entry->common.encoding & ENCODING_FORM);
	if (entry->common.has_augmentation)
		cursor_skip(&cursor, read_uleb(&cursor));
	entry->instructions = cursor;
	return !cursor.failed;
}

static uintptr_t search_frames(const struct cfi_section *section, uintptr_t pc)
{
	uintptr_t at = section->frames;

	for (unsigned i = 0; i < SEARCH_LIMIT; i++) {
		struct cursor cursor = { .at = at, .end = section->high };
		struct entry entry;

		if (!enter(&cursor))
			return 0;
		if (read_entry(&entry, section, at) && pc - entry.start < entry.size)
			return at;
		at = cursor.end;
	}
	return 0;
}

/* ---- instructions --------------------------------------------------------------------- */

/* How an instruction's operands are written. FACTORED ones count units of the alignment. */
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
	const struct common *common;
	uintptr_t location, pc;
	struct cfi_rules *rules;
	const struct cfi_state *initial; /* for restore; NULL in the common entry itself */
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
		return (int64_t)read_encoded(cursor, machine->common->encoding);
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

/* Vector registers and others that we do not follow are read over. */
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
			machine->cursor.end; /* the rules so far are those of pc */
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
		return set_rule(machine, which, RULE_OFFSET, (int64_t) - (uint64_t)second);
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

/* The common entry's instructions, then the function's own up to pc. */
static bool run_entry(struct cfi_rules *rules, const struct entry *entry, uintptr_t pc)
{
	struct machine machine; /* the states kept are not worth clearing */
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

enum cfi_result cfi_find(struct cfi_rules *rules, const struct cfi_section *section,
			 uintptr_t pc, uint32_t *hint)
{
	struct entry entry;
	uintptr_t at;

	if (!section->header)
		return CFI_NONE;
	at = section->table ? search_table(section, pc, hint) : search_frames(section, pc);
	if (!at)
		return CFI_NONE;
	if (!read_entry(&entry, section, at))
		return CFI_DAMAGED;
	if (pc - entry.start >= entry.size)
		return CFI_NONE;
	*rules = (struct cfi_rules){
		.entry = at,
		.end = section->high,
		.is_signal_frame = entry.common.is_signal_frame,
	};
	return run_entry(rules, &entry, pc) ? CFI_FOUND : CFI_DAMAGED;
}
