/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_rules.h"

#include <string.h>

struct writing {
	const struct x86_layout *layout;
	struct x86_name *name;
	struct operands *operands;
	const char *argument; /* of the rule */
};

/* ---- operands ---------------------------------------------------------------------- */

static void rename_to(struct writing *writing, const char *name)
{
	*writing->name = (struct x86_name){ .name = name, .length = (int)strlen(name) };
}

static void insert(struct operands *operands, size_t at, const char *text)
{
	if (operands->count == OPERANDS_MAX)
		return;
	for (size_t i = operands->count++; i > at; i--)
		operands->items[i] = operands->items[i - 1];
	operands->items[at] = (struct operand){ text, strlen(text), true };
}

static void remove_first(struct operands *operands)
{
	if (operands->count == 0)
		return;
	operands->count--;
	for (size_t i = 0; i < operands->count; i++)
		operands->items[i] = operands->items[i + 1];
}

/* Shifts by 1 name only what they shift. */
static bool omit_one(struct writing *writing)
{
	if (writing->operands->count > 1)
		remove_first(writing->operands);
	return true;
}

static bool is_accumulator(const struct operand *operand)
{
	return operand->length >= 3 &&
	       memcmp(operand->text + operand->length - 2, "ax", 2) == 0;
}

/* The accumulator is first; versions of capstone differ. */
static bool exchange(struct writing *writing)
{
	struct operand *items = writing->operands->items, first = items[0];

	if (writing->operands->count == 2 && is_accumulator(&items[1])) {
		items[0] = items[1];
		items[1] = first;
	}
	/* Without an operand, it is the nop of two bytes. */
	if (writing->operands->count == 0 && writing->layout->has_operand_size &&
	    !writing->layout->repeat && !(writing->layout->rex & REX_W)) {
		rename_to(writing, "xchg");
		insert(writing->operands, 0, "%ax");
		insert(writing->operands, 0, "%ax");
	}
	return true;
}

static bool set_port(struct writing *writing)
{
	static const char port[] = "(%dx)";

	for (size_t i = 0; i < writing->operands->count; i++) {
		struct operand *operand = &writing->operands->items[i];

		if (operand->length == 3 && memcmp(operand->text, "%dx", 3) == 0)
			*operand = (struct operand){ port, strlen(port), true };
	}
	return true;
}

static bool add_first(struct writing *writing)
{
	if (writing->operands->count == 2 && writing->layout->encoding == X86_LEGACY)
		insert(writing->operands, 0, writing->argument);
	return true;
}

static bool name_by_word(struct writing *writing)
{
	if (writing->layout->rex & REX_W && writing->layout->encoding == X86_LEGACY)
		rename_to(writing, writing->argument);
	return true;
}

static bool name_by_size(struct writing *writing)
{
	if (writing->layout->has_operand_size && !(writing->layout->rex & REX_W))
		rename_to(writing, writing->argument);
	return true;
}

/* Near jumps and calls that cut addresses to 16 bits. */
static bool name_short(struct writing *writing)
{
	if (writing->layout->immediate_size == 2)
		rename_to(writing, writing->argument);
	return true;
}

/* Moves between registers of 4 bytes: capstone shows the second with 8. */
static bool move_word(struct writing *writing)
{
	static const char *const registers[] = { "%eax",  "%ecx",  "%edx",  "%ebx",
						 "%esp",  "%ebp",  "%esi",  "%edi",
						 "%r8d",  "%r9d",  "%r10d", "%r11d",
						 "%r12d", "%r13d", "%r14d", "%r15d" };
	const struct x86_layout *layout = writing->layout;
	const char *name = registers[layout->reg + (layout->rex & REX_R ? 8u : 0)];

	if (layout->rex & REX_W || writing->operands->count < 2)
		return true;
	rename_to(writing, "movsxd");
	writing->operands->items[1] = (struct operand){ name, strlen(name), true };
	return true;
}

/* ---- strings ----------------------------------------------------------------------- */

/* S, D, A and P: source, destination, accumulator and port. */
static const struct string_operation {
	uint8_t opcode;
	const char *names[4]; /* of 1, 2, 4, 8 bytes */
	const char *operands;
} string_operations[] = {
	{ 0x6c, { "insb", "insw", "insl", "insl" }, "PD" },
	{ 0x6e, { "outsb", "outsw", "outsl", "outsl" }, "SP" },
	{ 0xa4, { "movsb", "movsw", "movsl", "movsq" }, "SD" },
	{ 0xa6, { "cmpsb", "cmpsw", "cmpsl", "cmpsq" }, "DS" },
	{ 0xaa, { "stos", "stos", "stos", "stos" }, "AD" },
	{ 0xac, { "lods", "lods", "lods", "lods" }, "SA" },
	{ 0xae, { "scas", "scas", "scas", "scas" }, "DA" },
};

static unsigned string_size(const struct x86_layout *layout)
{
	if (!(layout->opcode & 1))
		return 0;
	return layout->rex & REX_W ? 3 : layout->has_operand_size ? 1 : 2;
}

static const char *string_source(const struct x86_layout *layout)
{
	if (layout->segment == 0x64)
		return layout->has_address_size ? "%fs:(%esi)" : "%fs:(%rsi)";
	if (layout->segment == 0x65)
		return layout->has_address_size ? "%gs:(%esi)" : "%gs:(%rsi)";
	return layout->has_address_size ? "%ds:(%esi)" : "%ds:(%rsi)";
}

static const char *string_operand(const struct x86_layout *layout, char kind)
{
	static const char *const accumulators[] = { "%al", "%ax", "%eax", "%rax" };

	switch (kind) {
	case 'S':
		return string_source(layout);
	case 'D':
		return layout->has_address_size ? "%es:(%edi)" : "%es:(%rdi)";
	case 'P':
		return "(%dx)";
	default:
		return accumulators[string_size(layout)];
	}
}

static bool write_string(struct writing *writing)
{
	const struct string_operation *operation = string_operations;

	while (operation->opcode != (writing->layout->opcode & 0xfe))
		operation++;
	rename_to(writing, operation->names[string_size(writing->layout)]);
	writing->operands->count = 0;
	for (size_t i = 0; i < 2; i++)
		insert(writing->operands, i,
		       string_operand(writing->layout, operation->operands[i]));
	return true;
}

static bool write_translation(struct writing *writing)
{
	writing->operands->count = 0;
	insert(writing->operands, 0, "%ds:(%rbx)");
	return true;
}

/* ---- floating point ---------------------------------------------------------------- */

/* The operands of d8 to df with registers, by the middle of ModRM: i "%st(i)"; a
 * "%st(i),%st"; b "%st,%st(i)"; "." those of capstone; "-" not an instruction. */
static const char *const float_operands[] = {
	"aaiiaaaa", "ii......", "aaaa....", "aaaa.aa.",
	"bb--bbbb", "i-iiii--", "bb-.bbbb", "i---.aa-",
};

static bool write_float(struct writing *writing)
{
	static const char *const registers[] = { "%st(0)", "%st(1)", "%st(2)", "%st(3)",
						 "%st(4)", "%st(5)", "%st(6)", "%st(7)" };
	const struct x86_layout *layout = writing->layout;
	char form = float_operands[layout->opcode & 7][layout->reg];

	if (layout->mod != 3 || form == '.')
		return true;
	writing->operands->count = 0;
	insert(writing->operands, 0, registers[layout->rm]);
	if (form != 'i')
		insert(writing->operands, form == 'a', "%st");
	return form != '-';
}

/* ---- rules ------------------------------------------------------------------------- */

static const struct rule {
	enum x86_map map;
	uint8_t first, last;
	bool (*apply)(struct writing *writing);
	const char *argument;
} rules[] = {
	{ X86_MAP_1BYTE, 0x63, 0x63, move_word, NULL },
	{ X86_MAP_1BYTE, 0x6a, 0x6a, name_by_size, "pushw" },
	{ X86_MAP_1BYTE, 0x6c, 0x6f, write_string, NULL },
	{ X86_MAP_1BYTE, 0x90, 0x97, exchange, NULL },
	{ X86_MAP_1BYTE, 0xa4, 0xa7, write_string, NULL },
	{ X86_MAP_1BYTE, 0xaa, 0xaf, write_string, NULL },
	{ X86_MAP_1BYTE, 0xd0, 0xd1, omit_one, NULL },
	{ X86_MAP_1BYTE, 0xd7, 0xd7, write_translation, NULL },
	{ X86_MAP_1BYTE, 0xd8, 0xdf, write_float, NULL },
	{ X86_MAP_1BYTE, 0xe4, 0xe7, set_port, NULL },
	{ X86_MAP_1BYTE, 0xe8, 0xe8, name_short, "callw" },
	{ X86_MAP_1BYTE, 0xe9, 0xe9, name_short, "jmpw" },
	{ X86_MAP_1BYTE, 0xec, 0xef, set_port, NULL },
	{ X86_MAP_0F, 0x6e, 0x6e, name_by_word, "movq" },
	{ X86_MAP_0F, 0x7e, 0x7e, name_by_word, "movq" },
	{ X86_MAP_0F38, 0x10, 0x10, add_first, "%xmm0" },
	{ X86_MAP_0F38, 0x14, 0x15, add_first, "%xmm0" },
	{ X86_MAP_0F38, 0xcb, 0xcb, add_first, "%xmm0" },
};

bool x86_apply_rules(const struct x86_layout *layout, struct x86_name *name,
		     struct operands *operands)
{
	struct writing writing = { layout, name, operands, NULL };

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (layout->map != rules[i].map || layout->opcode < rules[i].first ||
		    layout->opcode > rules[i].last)
			continue;
		writing.argument = rules[i].argument;
		return rules[i].apply(&writing);
	}
	return true;
}
