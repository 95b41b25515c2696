/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the parts of an instruction needs no knowledge of what it does, only of which
 * opcodes have a ModRM byte and constants. Thus unknown instructions have a size, too,
 * and the one after them is found.
 */
#include "libexpt/disassembly/x86_layout.h"

#include <string.h>

/*
 * A character per opcode:
 *
 *	-	nothing follows		x	not an instruction
 *	m	ModRM			M	ModRM and a byte
 *	b	a byte			Z	ModRM and 2 or 4 bytes
 *	z	2 or 4 bytes		g, G	M, Z for the first two of the group, or m
 *	v	2, 4 or 8 bytes		w, e	2 or 3 bytes
 *	o	an address		p	a prefix or escape
 */
/* clang-format off */
static const char one_byte[] =
	"mmmmbzxxmmmmbzxp" "mmmmbzxxmmmmbzxx" "mmmmbzpxmmmmbzpx" "mmmmbzpxmmmmbzpx"
	"pppppppppppppppp" "----------------" "xxpmppppzZbM----" "bbbbbbbbbbbbbbbb"
	"MZxMmmmmmmmmmmmm" "----------x-----" "oooo----bz------" "bbbbbbbbvvvvvvvv"
	"MMw-ppMZe-w--bx-" "mmmmxxx-mmmmmmmm" "bbbbbbbbzzxb----" "p-pp--gG------mm";
static const char two_bytes[] =
	"mmmmx-----x-xm-M" "mmmmmmmmmmmmmmmm" "mmmmxxxxmmmmmmmm" "------x-pxpxxxxx"
	"mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "MMMMmmm-mmxxmmmm"
	"zzzzzzzzzzzzzzzz" "mmmmmmmmmmmmmmmm" "---mMmmm---mMmmm" "mmmmmmmmmmMmmmmm"
	"mmMmMMMm--------" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm";
/* clang-format on */

/* The bytes that are left to read; past the end, they are 0. */
struct reader {
	const unsigned char *bytes;
	size_t at, size;
	bool failed;
};

static uint8_t peek(const struct reader *reader)
{
	return reader->at < reader->size ? reader->bytes[reader->at] : 0;
}

static uint8_t take(struct reader *reader)
{
	uint8_t byte = peek(reader);

	if (reader->at >= reader->size)
		reader->failed = true;
	reader->at++;
	return byte;
}

static size_t skip(struct reader *reader, size_t size)
{
	size_t at = reader->at;

	if (size > reader->size - (at < reader->size ? at : reader->size))
		reader->failed = true;
	reader->at += size;
	return at;
}

/* ---- prefixes ---------------------------------------------------------------------- */

static bool take_prefix(struct x86_layout *layout, uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
		layout->segment = byte;
		return true;
	case 0x66:
		return layout->has_operand_size = true;
	case 0x67:
		return layout->has_address_size = true;
	case 0xf2:
	case 0xf3:
		layout->repeat = byte;
		return true;
	default:
		return byte == 0xf0;
	}
}

/* A REX prefix counts only directly before the opcode. Returns false if another prefix
 * follows one: then objdump(1) shows it as an instruction of its own. */
static bool take_prefixes(struct x86_layout *layout, struct reader *reader)
{
	while (take_prefix(layout, peek(reader)) && !reader->failed)
		take(reader);
	if ((peek(reader) & 0xf0) == REX)
		layout->rex = take(reader);
	layout->prefixes = reader->at;
	return !layout->rex || ((peek(reader) & 0xf0) != REX &&
				!take_prefix(&(struct x86_layout){ 0 }, peek(reader)));
}

/* ---- opcodes ----------------------------------------------------------------------- */

/* The bits of VEX and EVEX are inverted, W and those of the mask are not. */
static uint8_t inverted_rex(uint8_t byte)
{
	return (uint8_t)(~byte >> 5 & (REX_B | REX_X | REX_R));
}

static void take_vex(struct x86_layout *layout, struct reader *reader)
{
	bool is_long = take(reader) != 0xc5;
	uint8_t byte = take(reader);

	layout->map = X86_MAP_0F;
	layout->rex = inverted_rex(is_long ? byte : byte | 0x60);
	if (is_long) {
		layout->map = byte & 0x1f;
		byte = take(reader);
		if (byte & 0x80)
			layout->rex |= REX_W;
	}
	layout->vvvv = ~byte >> 3 & 15;
	layout->length = byte >> 2 & 1;
	layout->pp = byte & 3;
}

static void take_evex(struct x86_layout *layout, struct reader *reader)
{
	uint8_t first, second, third;

	take(reader);
	first = take(reader);
	second = take(reader);
	third = take(reader);
	layout->map = first & 7;
	layout->rex = inverted_rex(first) | (second & 0x80 ? REX_W : 0);
	layout->high_reg = !(first & 0x10);
	layout->vvvv = ~second >> 3 & 15;
	layout->pp = second & 3;
	layout->is_zeroing = third & 0x80;
	layout->length = third >> 5 & 3;
	layout->has_b = third & 0x10;
	layout->high_vvvv = !(third & 8);
	layout->mask = third & 7;
}

static void take_legacy_map(struct x86_layout *layout, struct reader *reader)
{
	layout->map = X86_MAP_1BYTE;
	if (peek(reader) != 0x0f)
		return;
	take(reader);
	layout->map = peek(reader) == 0x38   ? X86_MAP_0F38
		      : peek(reader) == 0x3a ? X86_MAP_0F3A
					     : X86_MAP_0F;
	if (layout->map != X86_MAP_0F)
		take(reader);
}

static void take_opcode(struct x86_layout *layout, struct reader *reader)
{
	uint8_t byte = peek(reader);
	uint8_t next = reader->at + 1 < reader->size ? reader->bytes[reader->at + 1] : 0;

	layout->opcode_at = reader->at;
	if (layout->rex == 0 && (byte == 0xc4 || byte == 0xc5)) {
		layout->encoding = X86_VEX;
		take_vex(layout, reader);
	} else if (layout->rex == 0 && byte == 0x62) {
		layout->encoding = X86_EVEX;
		take_evex(layout, reader);
	} else if (layout->rex == 0 && byte == 0x8f && (next & 0x1f) >= 8) {
		layout->encoding = X86_XOP;
		take_vex(layout, reader);
	} else {
		take_legacy_map(layout, reader);
	}
	layout->opcode = take(reader);
	layout->opcode_end = reader->at;
}

static char class_of(const struct x86_layout *layout)
{
	if (layout->encoding == X86_XOP) /* map 8 has a byte, 9 none, 10 four of them */
		return layout->map == 8 ? 'M' : layout->map == 9 ? 'm' : 'Z';
	switch (layout->map) {
	case X86_MAP_1BYTE:
		return layout->encoding == X86_LEGACY ? one_byte[layout->opcode] : 'x';
	case X86_MAP_0F:
		if (layout->encoding == X86_LEGACY ||
		    strchr("M-", two_bytes[layout->opcode]))
			return two_bytes[layout->opcode];
		return 'm';
	case X86_MAP_0F3A:
		return 'M';
	default:
		return 'm';
	}
}

/* ---- operands ---------------------------------------------------------------------- */

/* Moves to and from control and debug registers ignore mod. */
static bool ignores_mod(const struct x86_layout *layout)
{
	return layout->encoding == X86_LEGACY && layout->map == X86_MAP_0F &&
	       (layout->opcode & 0xfc) == 0x20;
}

static void take_memory(struct x86_layout *layout, struct reader *reader)
{
	layout->base = layout->rm;
	if (layout->rm == 4) {
		uint8_t byte = take(reader);

		layout->has_sib = true;
		layout->scale = byte >> 6;
		layout->index = byte >> 3 & 7;
		layout->base = byte & 7;
	}
	if (layout->mod == 1)
		layout->displacement_size = 1;
	else if (layout->mod == 2 || layout->base == 5)
		layout->displacement_size = 4;
	layout->displacement_at = skip(reader, layout->displacement_size);
}

static void take_modrm(struct x86_layout *layout, struct reader *reader)
{
	uint8_t byte = take(reader);

	layout->has_modrm = true;
	layout->mod = ignores_mod(layout) ? 3 : byte >> 6;
	layout->reg = byte >> 3 & 7;
	layout->rm = byte & 7;
	if (layout->mod != 3)
		take_memory(layout, reader);
}

static size_t immediate_size(const struct x86_layout *layout, char class)
{
	size_t word = layout->has_operand_size && !(layout->rex & REX_W) ? 2 : 4;

	switch (class) {
	case 'b':
	case 'M':
		return 1;
	case 'g':
		return layout->reg < 2 ? 1 : 0;
	case 'z':
	case 'Z':
		return layout->encoding == X86_XOP ? 4 : word;
	case 'G':
		return layout->reg < 2 ? word : 0;
	case 'v':
		return layout->rex & REX_W ? 8 : word;
	case 'w':
		return 2;
	case 'e':
		return 3;
	case 'o':
		return layout->has_address_size ? 4 : 8;
	default:
		return 0;
	}
}

void x86_lay_out(struct x86_layout *layout, const unsigned char *bytes, size_t size)
{
	struct reader reader = { .bytes = bytes,
				 .size = size < X86_SIZE_MAX ? size : X86_SIZE_MAX };
	char class;

	*layout = (struct x86_layout){ .bytes = bytes };
	if (!take_prefixes(layout, &reader))
		return;
	take_opcode(layout, &reader);
	class = class_of(layout);
	if (class == 'x' || class == 'p')
		return;
	if (strchr("mMZgG", class))
		take_modrm(layout, &reader);
	layout->immediate_size = immediate_size(layout, class);
	layout->immediate_at = skip(&reader, layout->immediate_size);
	if (!reader.failed)
		layout->size = reader.at;
}

bool x86_has_memory(const struct x86_layout *layout)
{
	return layout->has_modrm && layout->mod != 3;
}

int64_t x86_number(const struct x86_layout *layout, size_t at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = size; i-- > 0;)
		value = value << 8 | layout->bytes[at + i];
	if (size > 0 && size < 8 && value >> (8 * size - 1))
		value |= UINT64_MAX << 8 * size;
	return (int64_t)value;
}
