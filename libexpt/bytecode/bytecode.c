/* SPDX-License-Identifier: Apache-2.0 */

#include "libexpt/bytecode/bytecode.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "libexpt/bytecode/numbers.h"
#include "libexpt/bytecode/opcodes.h"

/* ---- sizes ---- */

/* Where the numbers of a switch are: at the next multiple of 4 of the method's code. */
static size_t switch_start(size_t offset)
{
	return offset / 4 * 4 + 4 - offset;
}

/* Returns the size of a switch at the offset; 0: it is not whole. */
static size_t switch_size(const struct class_code *code, size_t offset, enum form form)
{
	size_t start = switch_start(offset), left = code->size - offset;
	const unsigned char *bytes = code->bytes + offset + start;
	int64_t count, head = form == SWITCH ? 12 : 8;

	if (left < start + (size_t)head)
		return 0;
	count = form == SWITCH ? (int64_t)s4(bytes + 8) - s4(bytes + 4) + 1
			       : s4(bytes + 4);
	if (count < 0 || count > (int64_t)left)
		return 0;
	head += count * (form == SWITCH ? 4 : 8);
	return (size_t)head <= left - start ? start + (size_t)head : 0;
}

static size_t size_of(enum form form)
{
	switch (form) {
	case BYTE:
	case ENTRY1:
	case LOCAL:
	case RETURN_LOCAL:
	case TYPE:
		return 2;
	case SHORT:
	case ENTRY:
	case INCREASE:
	case BRANCH:
	case JUMP:
	case CALL:
	case INVOKE:
		return 3;
	case MULTIPLE:
		return 4;
	case FAR_JUMP:
	case FAR_CALL:
	case INTERFACE:
	case DYNAMIC:
		return 5;
	default:
		return 1;
	}
}

/* ---- operands ---- */

static void add_constant(struct bytecode *out, const struct class_file *file,
			 unsigned index, const char *more)
{
	size_t length;

	strbuf_printf(&out->operands, "#%u%s  // ", index, more);
	length = out->operands.length;
	class_file_add_constant(file, index, &out->operands);
	if (out->operands.length == length)
		strbuf_add_char(&out->operands, '?');
}

static void add_dimensions(struct bytecode *out, const struct class_file *file,
			   const unsigned char *bytes, size_t at)
{
	char more[16];

	snprintf(more, sizeof(more), ",  %d", bytes[at]);
	add_constant(out, file, u2(bytes + 1), more);
}

static void add_target(struct bytecode *out, size_t offset, int64_t distance)
{
	int64_t target = (int64_t)offset + distance;

	strbuf_printf(&out->operands, "%" PRId64, target);
	out->has_target = target >= 0;
	out->target = (uint64_t)target;
}

static void add_type(struct bytecode *out, unsigned type)
{
	static const char *const types[] = { "boolean", "char",	 "float", "double",
					     "byte",	"short", "int",	  "long" };

	strbuf_add_text(&out->operands, type >= 4 && type < 12 ? types[type - 4] : "?");
}

/* Add "{ 1: 40, 5: 60, default: 80 }". */
static void add_switch(struct bytecode *out, const struct class_code *code, size_t offset,
		       enum form form)
{
	size_t start = switch_start(offset), step = form == SWITCH ? 4 : 8;
	const unsigned char *bytes = code->bytes + offset + start;
	size_t head = form == SWITCH ? 12 : 8;
	int64_t base = (int64_t)offset;

	strbuf_add_text(&out->operands, "{ ");
	for (size_t at = head; start + at < out->size; at += step) {
		int64_t value = form == SWITCH
					? s4(bytes + 4) + (int64_t)((at - head) / step)
					: s4(bytes + at);

		strbuf_printf(&out->operands, "%" PRId64 ": %" PRId64 ", ", value,
			      base + s4(bytes + at + step - 4));
	}
	strbuf_printf(&out->operands, "default: %" PRId64 " }", base + s4(bytes));
}

static void add_operands(struct bytecode *out, const struct class_file *file,
			 const struct class_code *code, size_t offset, enum form form)
{
	const unsigned char *bytes = code->bytes + offset;

	switch (form) {
	case BYTE:
		strbuf_printf(&out->operands, "%d", (signed char)bytes[1]);
		break;
	case SHORT:
		strbuf_printf(&out->operands, "%d", s2(bytes + 1));
		break;
	case LOCAL:
	case RETURN_LOCAL:
		strbuf_printf(&out->operands, "%d", bytes[1]);
		break;
	case INCREASE:
		strbuf_printf(&out->operands, "%d, %d", bytes[1], (signed char)bytes[2]);
		break;
	case ENTRY1:
		add_constant(out, file, bytes[1], "");
		break;
	case ENTRY:
	case INVOKE:
		add_constant(out, file, u2(bytes + 1), "");
		break;
	case INTERFACE:
	case MULTIPLE:
		add_dimensions(out, file, bytes, 3);
		break;
	case DYNAMIC:
		add_constant(out, file, u2(bytes + 1), ",  0");
		break;
	case BRANCH:
	case JUMP:
	case CALL:
		add_target(out, offset, s2(bytes + 1));
		break;
	case FAR_JUMP:
	case FAR_CALL:
		add_target(out, offset, s4(bytes + 1));
		break;
	case TYPE:
		add_type(out, bytes[1]);
		break;
	case SWITCH:
	case LOOKUP:
		add_switch(out, code, offset, form);
		break;
	default:
		break;
	}
}

/* ---- instructions ---- */

static enum expt_instruction_kind kind_of(enum form form)
{
	switch (form) {
	case BRANCH:
		return EXPT_INSTRUCTION_BRANCH;
	case JUMP:
	case FAR_JUMP:
	case SWITCH:
	case LOOKUP:
		return EXPT_INSTRUCTION_JUMP;
	case CALL:
	case FAR_CALL:
	case INVOKE:
	case INTERFACE:
	case DYNAMIC:
		return EXPT_INSTRUCTION_CALL;
	case RETURN:
	case RETURN_LOCAL:
		return EXPT_INSTRUCTION_RETURN;
	case BAD:
		return EXPT_INSTRUCTION_BAD;
	default:
		return EXPT_INSTRUCTION_OTHER;
	}
}

/* Names of instructions after wide */
static const char *wide_name(unsigned opcode)
{
	static const char *const loads[] = { "iload_w", "lload_w", "fload_w", "dload_w",
					     "aload_w" };
	static const char *const stores[] = { "istore_w", "lstore_w", "fstore_w",
					      "dstore_w", "astore_w" };

	if (opcode >= 21 && opcode < 26)
		return loads[opcode - 21];
	if (opcode >= 54 && opcode < 59)
		return stores[opcode - 54];
	return opcode == 132 ? "iinc_w" : opcode == 169 ? "ret_w" : NULL;
}

/* Read an instruction with numbers of two bytes; false: it is none. */
static bool read_wide(struct bytecode *out, const unsigned char *bytes, size_t left)
{
	const char *name = left >= 4 ? wide_name(bytes[1]) : NULL;
	bool has_number = name && opcodes[bytes[1]].form == INCREASE;

	if (!name || (has_number && left < 6))
		return false;
	out->mnemonic = name;
	out->kind = kind_of(opcodes[bytes[1]].form);
	out->size = has_number ? 6 : 4;
	strbuf_printf(&out->operands, "%u", u2(bytes + 2));
	if (has_number)
		strbuf_printf(&out->operands, ", %d", s2(bytes + 4));
	return true;
}

static void read_bad(struct bytecode *out)
{
	out->mnemonic = "(bad)";
	out->kind = kind_of(BAD);
	out->size = 1;
}

size_t bytecode_read(struct bytecode *out, const struct class_file *file,
		     const struct class_code *code, size_t offset)
{
	size_t left = offset < code->size ? code->size - offset : 0;
	const unsigned char *bytes;
	enum form form;

	strbuf_clear(&out->operands);
	out->has_target = false;
	out->size = 0;
	if (left == 0)
		return 0;
	bytes = code->bytes + offset;
	form = *bytes < OPCODES ? opcodes[*bytes].form : BAD;
	if (form == SWITCH || form == LOOKUP)
		out->size = switch_size(code, offset, form);
	else if (form == WIDE && read_wide(out, bytes, left))
		return out->size;
	else if (form != WIDE && form != BAD)
		out->size = size_of(form);
	if (out->size == 0 || out->size > left) {
		read_bad(out);
		return out->size;
	}
	out->mnemonic = opcodes[*bytes].mnemonic;
	out->kind = kind_of(form);
	add_operands(out, file, code, offset, form);
	return out->size;
}

void bytecode_release(struct bytecode *bytecode)
{
	strbuf_release(&bytecode->operands);
}
