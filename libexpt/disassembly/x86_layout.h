/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an x86 instruction in 64-bit mode: prefixes, opcode, operand bytes. */
#ifndef LIBEXPT_DISASSEMBLY_X86_LAYOUT_H
#define LIBEXPT_DISASSEMBLY_X86_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define X86_SIZE_MAX 15

/* clang-format off */
#define REX_B	1
#define REX_X	2
#define REX_R	4
#define REX_W	8
#define REX	0x40
/* clang-format on */

enum x86_encoding { X86_LEGACY, X86_VEX, X86_EVEX, X86_XOP };
enum x86_map { X86_MAP_1BYTE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A };

struct x86_layout {
	const unsigned char *bytes;
	size_t size;	 /* of the instruction; 0: cut off, or not in any table */
	size_t prefixes; /* the number of them, a REX prefix at their end included */
	enum x86_encoding encoding;
	uint8_t rex; /* of VEX and EVEX, too: the bits W, R, X, B */
	bool has_operand_size, has_address_size; /* prefixes 66 and 67 */
	uint8_t segment, repeat;		 /* the last prefix of its kind, or 0 */
	unsigned map;				 /* enum x86_map, or a higher number */
	uint8_t opcode;
	size_t opcode_at, opcode_end; /* from the first byte after the prefixes */

	bool has_modrm;
	uint8_t mod, reg, rm; /* 0 to 7, without the bits of REX */
	bool has_sib;
	uint8_t scale, index, base;
	size_t displacement_at, displacement_size;
	size_t immediate_at, immediate_size;

	/* VEX and EVEX. */
	uint8_t pp, vvvv, length;
	/* EVEX. */
	bool high_reg, high_vvvv, is_zeroing, has_b;
	uint8_t mask;
};

void x86_lay_out(struct x86_layout *layout, const unsigned char *bytes, size_t size);
bool x86_has_memory(const struct x86_layout *layout);
/* Returns a little-endian number of the instruction with its sign. */
int64_t x86_number(const struct x86_layout *layout, size_t at, size_t size);

#endif
