/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_prefixes.h"

#include <stdio.h>
#include <string.h>

#include "libexpt/disassembly/x86_flow.h"
#include "libexpt/disassembly/x86_names.h"

/* "xchg %ax,%ax" and "pushw $1", which capstone writes like those without the prefix. */
static bool hides_operand_size(const struct x86_layout *layout)
{
	return layout->encoding == X86_LEGACY && layout->map == X86_MAP_1BYTE &&
	       ((layout->opcode == 0x90 && !layout->repeat) || layout->opcode == 0x6a) &&
	       !(layout->rex & REX_W);
}

/* ---- reading ----------------------------------------------------------------------- */

static bool is_string_operation(const struct x86_layout *layout)
{
	unsigned opcode = layout->opcode;

	return layout->encoding == X86_LEGACY && layout->map == X86_MAP_1BYTE &&
	       ((opcode >= 0x6c && opcode <= 0x6f) ||
		(opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf));
}

static bool read(struct decoder *decoder, const struct x86_layout *layout,
		 const struct x86_prefixes *prefixes)
{
	unsigned char bytes[X86_SIZE_MAX + 8];
	size_t size = 0, rest = layout->size - layout->opcode_at;

	if (prefixes->has_operand_size)
		bytes[size++] = 0x66;
	if (prefixes->has_repeat)
		bytes[size++] = layout->repeat;
	if (prefixes->has_address_size)
		bytes[size++] = 0x67;
	if (prefixes->has_rex)
		bytes[size++] = layout->rex;
	memcpy(bytes + size, layout->bytes + layout->opcode_at, rest);
	return decoder_read(decoder, bytes, size + rest);
}

/* Set a prefix, which is in prefixes, to whether the instruction is another one with
 * it. */
static void find_effect(struct decoder *decoder, const struct x86_layout *layout,
			const struct x86_prefixes *prefixes, bool *prefix)
{
	const cs_insn *found = decoder->instruction;
	char mnemonic[sizeof(found->mnemonic)], operands[sizeof(found->op_str)];

	if (!*prefix || !read(decoder, layout, prefixes))
		return;
	strcpy(mnemonic, x86_last_word(found->mnemonic));
	strcpy(operands, found->op_str);
	*prefix = false;
	*prefix = !read(decoder, layout, prefixes) ||
		  strcmp(mnemonic, x86_last_word(found->mnemonic)) != 0 ||
		  strcmp(operands, found->op_str) != 0;
}

static bool has_address(const struct x86_layout *layout)
{
	bool is_one_byte = layout->encoding == X86_LEGACY && layout->map == X86_MAP_1BYTE;

	return x86_has_memory(layout) || is_string_operation(layout) ||
	       (is_one_byte && layout->opcode >= 0xa0 && layout->opcode <= 0xa3) ||
	       (is_one_byte && layout->opcode >= 0xe0 && layout->opcode <= 0xe3);
}

bool x86_read(struct decoder *decoder, const struct x86_layout *layout,
	      struct x86_prefixes *prefixes)
{
	*prefixes = (struct x86_prefixes){
		.has_operand_size = layout->has_operand_size,
		.has_address_size = layout->has_address_size && has_address(layout),
		.has_segment = layout->segment >= 0x64 && has_address(layout),
		.has_repeat = layout->repeat && !is_string_operation(layout),
		.has_rex = layout->encoding == X86_LEGACY && layout->rex,
	};
	if (x86_flow(layout).has_target) { /* capstone's text varies with the size */
		prefixes->has_operand_size = layout->immediate_size == 2;
		prefixes->has_repeat = false;
	}
	if (layout->rex & REX_W && layout->map == X86_MAP_1BYTE)
		prefixes->has_operand_size = false;
	if (!hides_operand_size(layout))
		find_effect(decoder, layout, prefixes, &prefixes->has_operand_size);
	find_effect(decoder, layout, prefixes, &prefixes->has_repeat);
	return read(decoder, layout, prefixes);
}

/* ---- REX --------------------------------------------------------------------------- */

/*
 * A character per opcode, for its ModRM or lack of it:
 *
 *	.	the size is fixed	W	REX.W doubles it
 *	b	operands are bytes	B	so, and the opcode names a register
 *	r	the opcode names a register, the size is fixed; R: with REX.W
 *	g, G	like . and W, but ModRM has no register; h: operands are bytes
 *	c	like W, and the operand of ModRM's end is a byte
 *	u	any bit
 */
/* clang-format off */
static const char rex_one_byte[] =
	"bWbWbW..bWbWbW.." "bWbWbW..bWbWbW.." "bWbWbW..bWbWbW.." "bWbWbW..bWbWbW.."
	"................" "rrrrrrrrrrrrrrrr" "...W.....W.W.W.W" "................"
	"hGhGbWbWbWbWWWWg" "RRRRRRRRWW......" "bWbWbWbWbWbWbWbW" "BBBBBBBBRRRRRRRR"
	"hG....hG...WW..W" "hGhG....gggggggg" "................" "......hG......hG";
static const char rex_two_bytes[] =
	"uuWWu..W..u.u..u" "........GWuuuWuG" "....uuuu..W.WW.." ".....Wu.uuuuuuuu"
	"WWWWWWWWWWWWWWWW" "W..............." "..............W." ".ggg......uu..W."
	"................" "hhhhhhhhhhhhhhhh" "...WWWuu...WWWuW" "bWWWWWcWWWGWWWcW"
	"bW.W...uRRRRRRRR" ".......W........" "................" "...............W";
/* clang-format on */

static char rex_class(const struct x86_layout *layout)
{
	switch (layout->map) {
	case X86_MAP_1BYTE:
		return rex_one_byte[layout->opcode];
	case X86_MAP_0F:
		return rex_two_bytes[layout->opcode];
	case X86_MAP_0F38: /* the last are for general registers */
		return layout->opcode < 0xf0 ? '.' : 'u';
	default:
		return layout->opcode < 0x10 || layout->opcode >= 0xc0 ? '.' : 'u';
	}
}

/* The last groups take a size, but calls, jumps and pushes do not. */
static bool is_near(const struct x86_layout *layout)
{
	return layout->opcode == 0xff && layout->map == X86_MAP_1BYTE &&
	       (layout->reg == 2 || layout->reg == 4 || layout->reg == 6);
}

static uint8_t used_by_modrm(const struct x86_layout *layout, char class)
{
	uint8_t used = REX_B;

	if (class != 'g' && class != 'G' && class != 'h')
		used |= REX_R;
	if (layout->has_sib)
		used |= REX_X;
	return used;
}

/* Without a REX prefix, numbers of byte registers from 4 on name other registers. */
static bool changes_byte(const struct x86_layout *layout, char class)
{
	if (class == 'B')
		return layout->opcode & 4;
	return (class == 'b' && layout->has_modrm && layout->reg & 4) ||
	       (strchr("bch", class) && layout->mod == 3 && layout->rm & 4);
}

/* Returns the bits of the REX prefix that have a meaning for the instruction. */
static uint8_t used_rex(const struct x86_layout *layout)
{
	char class = rex_class(layout);
	uint8_t used = 0;

	if (class == 'u')
		return UINT8_MAX;
	if (layout->has_modrm)
		used |= used_by_modrm(layout, class);
	if (class == 'r' || class == 'R' || class == 'B')
		used |= REX_B;
	if (class == 'W' || class == 'c' || class == 'R' ||
	    (class == 'G' && !is_near(layout)))
		used |= REX_W;
	if (layout->rex & used || changes_byte(layout, class))
		used |= REX;
	return used;
}

/* ---- names ------------------------------------------------------------------------- */

static const struct prefix_name {
	uint8_t byte;
	const char *name;
} names[] = {
	{ 0x26, "es" },	  { 0x2e, "cs" },    { 0x36, "ss" },	 { 0x3e, "ds" },
	{ 0x64, "fs" },	  { 0x65, "gs" },    { 0x66, "data16" }, { 0x67, "addr32" },
	{ 0xf0, "lock" }, { 0xf2, "repnz" }, { 0xf3, "repz" },
};

static const char *name_of(uint8_t byte)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].byte == byte)
			return names[i].name;
	return NULL;
}

/* Prefixes of one kind replace each other. */
static unsigned kind_of(uint8_t byte)
{
	switch (byte) {
	case 0x66:
	case 0x67:
	case 0xf0:
		return byte;
	case 0xf2:
	case 0xf3:
		return 0xf2;
	default:
		return 0x26;
	}
}

static bool is_last_of_kind(const struct x86_layout *layout, size_t at)
{
	for (size_t i = at + 1; i < layout->prefixes; i++)
		if (name_of(layout->bytes[i]) &&
		    kind_of(layout->bytes[i]) == kind_of(layout->bytes[at]))
			return false;
	return true;
}

/* Exchanges are locked without a prefix, and moves may end an elision. */
static bool is_elision(const struct x86_layout *layout)
{
	unsigned opcode = layout->opcode & 0xfe;

	if (!x86_has_memory(layout) || layout->encoding != X86_LEGACY)
		return false;
	return memchr(layout->bytes, 0xf0, layout->prefixes) ||
	       (layout->map == X86_MAP_1BYTE &&
		(opcode == 0x86 ||
		 (layout->repeat == 0xf3 && (opcode == 0x88 || opcode == 0xc6))));
}

/* Returns the name of the last repeat prefix; NULL: it is part of the instruction. */
static const char *name_repeat(const struct x86_layout *layout,
			       const struct x86_prefixes *prefixes)
{
	bool is_f2 = layout->repeat == 0xf2;

	if (prefixes->has_repeat)
		return NULL;
	if (x86_flow(layout).has_bounds && is_f2)
		return "bnd";
	if (is_string_operation(layout) && !is_f2 && (layout->opcode & 0xfe) != 0xa6 &&
	    (layout->opcode & 0xfe) != 0xae)
		return "rep";
	if (is_elision(layout))
		return is_f2 ? "xacquire" : "xrelease";
	return name_of(layout->repeat);
}

/* Returns the name to show for a prefix that is the last of its kind, or NULL. */
static const char *name_last(const struct x86_layout *layout,
			     const struct x86_prefixes *prefixes, uint8_t byte)
{
	if (byte == layout->segment && *x86_hint(layout))
		return NULL;
	switch (byte) {
	case 0x66:
		return prefixes->has_operand_size ? NULL : "data16";
	case 0x67:
		return prefixes->has_address_size ? NULL : "addr32";
	case 0xf2:
	case 0xf3:
		return name_repeat(layout, prefixes);
	case 0x3e:
		return layout->has_modrm && x86_flow(layout).has_bounds ? "notrack"
									: "ds";
	case 0x64:
	case 0x65:
		return prefixes->has_segment ? NULL : name_of(byte);
	default:
		return name_of(byte);
	}
}

static void add_rex(struct text *text, uint8_t rex)
{
	text_add(text, "rex%s%s%s%s%s ", rex & 15 ? "." : "", rex & REX_W ? "W" : "",
		 rex & REX_R ? "R" : "", rex & REX_X ? "X" : "", rex & REX_B ? "B" : "");
}

void x86_add_prefixes(struct text *text, const struct x86_layout *layout,
		      const struct x86_prefixes *prefixes)
{
	for (size_t i = 0; i < layout->prefixes; i++) {
		uint8_t byte = layout->bytes[i];
		const char *name = name_of(byte);

		if (name && is_last_of_kind(layout, i))
			name = name_last(layout, prefixes, byte);
		if (name)
			text_add(text, "%s ", name);
	}
	if (layout->prefixes > 0 && layout->rex && layout->encoding == X86_LEGACY &&
	    layout->rex & ~used_rex(layout))
		add_rex(text, layout->rex);
}
