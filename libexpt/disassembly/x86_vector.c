/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_vector.h"

#include <string.h>

#include "libexpt/disassembly/x86_memory.h"

struct writing {
	const struct x86_layout *layout;
	const struct x86_vector_row *row;
	unsigned level; /* of the vector length: 0, 1, 2 */
	struct text *text;
};

/* ---- rows -------------------------------------------------------------------------- */

static const struct x86_vector_table *table_of(const struct x86_layout *layout)
{
	static const struct x86_vector_table *const evex[8] = {
		[1] = &x86_evex_map_1, [2] = &x86_evex_map_2, [3] = &x86_evex_map_3,
		[5] = &x86_evex_map_5, [6] = &x86_evex_map_6,
	};
	static const struct x86_vector_table *const vex[4] = {
		[1] = &x86_vex_map_1,
		[2] = &x86_vex_map_2,
		[3] = &x86_vex_map_3,
	};

	static const struct x86_vector_table *const legacy[4] = {
		[1] = &x86_legacy_map_1,
		[2] = &x86_legacy_map_2,
		[3] = &x86_legacy_map_3,
	};

	switch (layout->encoding) {
	case X86_EVEX:
		return evex[layout->map & 7];
	case X86_VEX:
		return layout->map < 4 ? vex[layout->map] : NULL;
	case X86_LEGACY:
		return legacy[layout->map];
	default:
		return NULL;
	}
}

/* Returns the index of the first row of an opcode, or of the next one. */
static size_t first_row(const struct x86_vector_table *table, unsigned opcode)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->rows[middle].opcode < opcode)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* With registers only, the bit of repeated memory means rounding, and the length is that
 * of the whole vector. */
static bool has_rounding(const struct x86_layout *layout)
{
	return layout->has_b && layout->mod == 3;
}

static unsigned level_of(const struct x86_layout *layout)
{
	return has_rounding(layout) ? 2 : layout->length;
}

/* Without VEX, a prefix of its own has the place of the bits. */
static unsigned prefix_of(const struct x86_layout *layout)
{
	if (layout->encoding != X86_LEGACY)
		return layout->pp;
	if (layout->repeat == 0xf3)
		return 2;
	return (layout->repeat ? 3 : 0) + layout->has_operand_size;
}

/* Whether the row is for registers, or for memory, as the instruction is. */
static bool has_operands(const struct x86_vector_row *row,
			 const struct x86_layout *layout)
{
	if (*row->memory == '=')
		return layout->mod == 3 && layout->rm == row->memory[1] - '0';
	if (layout->mod == 3)
		return !strpbrk(row->operands, "MJ");
	return *row->memory != '\0';
}

static bool is_row(const struct x86_vector_row *row, const struct x86_layout *layout)
{
	return row->prefix == prefix_of(layout) &&
	       (row->w == 2 || row->w == (layout->rex & REX_W ? 1 : 0)) &&
	       (row->extension < 0 || row->extension == layout->reg) &&
	       row->levels >> level_of(layout) & 1 && has_operands(row, layout);
}

static const struct x86_vector_row *find_row(const struct x86_layout *layout)
{
	const struct x86_vector_table *table = table_of(layout);
	size_t i = table ? first_row(table, layout->opcode) : 0;

	for (; table && i < table->count && table->rows[i].opcode == layout->opcode; i++)
		if (is_row(&table->rows[i], layout))
			return &table->rows[i];
	return NULL;
}

/* ---- mnemonic ---------------------------------------------------------------------- */

/* Whether nothing but the prefix itself needs EVEX: no register above 15, no mask. */
static bool is_redundant(const struct writing *writing)
{
	const struct x86_layout *layout = writing->layout;

	return writing->level < 2 && !layout->has_b && !layout->mask &&
	       !layout->is_zeroing && !layout->high_reg && !layout->high_vvvv &&
	       (layout->mod != 3 || !(layout->rex & REX_X));
}

static void add_name(const struct writing *writing, struct text *text)
{
	const char *name = writing->row->name;
	size_t length = strcspn(name, "*+");
	bool has_suffix = name[length] && writing->layout->mod != 3 &&
			  !writing->layout->has_b &&
			  (name[length] == '+' || writing->level < 2);

	if (writing->row->is_second && writing->layout->encoding == X86_VEX)
		text_add(text, "{vex} ");
	else if (writing->row->is_second && is_redundant(writing))
		text_add(text, "{evex} ");
	text_add(text, "%.*s", (int)length, name);
	if (has_suffix)
		text_add(text, "%c", "xyz"[writing->level]);
}

/* ---- operands ---------------------------------------------------------------------- */

static enum x86_width width_of(const struct writing *writing, char code)
{
	switch (code) {
	case 'f':
		return (enum x86_width)writing->level;
	case 'h':
		return writing->level == 2 ? X86_YMM : X86_XMM;
	default:
		return X86_XMM;
	}
}

/* Registers above 15 need EVEX; their number has its highest bit where memory has its
 * index. */
static unsigned number_of(const struct x86_layout *layout, char kind)
{
	bool is_high = layout->encoding == X86_EVEX && layout->rex & REX_X;

	switch (kind) {
	case 'V':
		return layout->reg + (layout->rex & REX_R ? 8u : 0) +
		       (layout->high_reg ? 16u : 0);
	case 'H':
		return layout->vvvv + (layout->high_vvvv ? 16u : 0);
	case 'W':
		return layout->rm + (layout->rex & REX_B ? 8u : 0) + (is_high ? 16u : 0);
	case 'G':
		return layout->reg + (layout->rex & REX_R ? 8u : 0);
	case 'D':
		return layout->vvvv;
	default:
		return layout->rm + (layout->rex & REX_B ? 8u : 0);
	}
}

static unsigned general_size(const struct x86_layout *layout, char code)
{
	if (code == 's')
		return 2;
	return code == 'q' || (code == 'w' && layout->rex & REX_W) ? 8 : 4;
}

static unsigned memory_size(const struct writing *writing)
{
	unsigned whole = 16u << writing->level;

	switch (*writing->row->memory) {
	case 'f':
		return whole;
	case 'h':
		return whole / 2;
	case 'q':
		return whole / 4;
	case 'e':
		return whole / 8;
	case 'm':
		return writing->level == 0 ? 8 : whole;
	case '6':
		return 16;
	case '3':
		return 32;
	default:
		return (unsigned)(*writing->row->memory - '0');
	}
}

static void add_memory(const struct writing *writing, const char *operand)
{
	const struct x86_layout *layout = writing->layout;
	unsigned size = memory_size(writing), element = size;
	struct x86_memory memory = { .has_vector = *operand == 'J' };

	if (layout->has_b && writing->row->memory[1])
		element = (unsigned)(writing->row->memory[1] - '0');
	memory.unit = element;
	if (memory.has_vector)
		memory.width = width_of(writing, operand[1]);
	x86_add_memory(writing->text, layout, &memory);
	if (element < size)
		text_add(writing->text, "{1to%u}", size / element);
}

static void add_rounding(const struct writing *writing, char kind)
{
	static const char *const modes[] = { "rn", "rd", "ru", "rz" };

	if (kind == 'S')
		text_add(writing->text, "{sae}");
	else
		text_add(writing->text, "{%s-sae}", modes[writing->layout->length]);
}

static void add_operand(const struct writing *writing, const char *operand)
{
	const struct x86_layout *layout = writing->layout;

	switch (*operand) {
	case 'I':
		text_add(writing->text, "$0x%x", layout->bytes[layout->immediate_at]);
		break;
	case 'R':
	case 'S':
		add_rounding(writing, *operand);
		break;
	case 'K':
		text_add(writing->text, "%%k%u", layout->reg);
		break;
	case 'k':
		text_add(writing->text, "%%k%u", layout->rm);
		break;
	case 'h':
		text_add(writing->text, "%%k%u", layout->vvvv & 7);
		break;
	case 'T':
		text_add(writing->text, "%%tmm%u", number_of(layout, operand[1]) & 7);
		break;
	case 'G':
	case 'D':
	case 'E':
		x86_add_register(writing->text, number_of(layout, *operand),
				 general_size(layout, operand[1]));
		break;
	default:
		x86_add_vector(writing->text, width_of(writing, operand[1]),
			       number_of(layout, *operand));
	}
}

static bool is_memory(const struct x86_layout *layout, char kind)
{
	return layout->mod != 3 && strchr("WEMJ", kind);
}

static void add_operands(const struct writing *writing)
{
	const struct x86_layout *layout = writing->layout;

	for (const char *at = writing->row->operands; *at; at++) {
		if (strchr("RS", *at) && !has_rounding(layout))
			continue;
		if (writing->text->length > 0)
			text_add(writing->text, ",");
		if (is_memory(layout, *at))
			add_memory(writing, at);
		else
			add_operand(writing, at);
		if (strchr("VHWGDEJT", *at))
			at++;
	}
	if (layout->mask)
		text_add(writing->text, "{%%k%u}", layout->mask);
	if (layout->is_zeroing)
		text_add(writing->text, "{z}");
}

bool x86_is_vector_instruction(const struct x86_layout *layout)
{
	return find_row(layout) != NULL;
}

void x86_add_vector_instruction(struct text *mnemonic, struct text *operands,
				const struct x86_layout *layout)
{
	struct writing writing = { layout, find_row(layout), level_of(layout), operands };

	if (!writing.row)
		return;
	add_name(&writing, mnemonic);
	add_operands(&writing);
}
