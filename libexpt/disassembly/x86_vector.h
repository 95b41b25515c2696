/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions by tables: all with an EVEX prefix, and those of other encodings that
 * capstone, in some version, does not know. The tables follow from what objdump(1)
 * prints for every opcode.
 *
 * Operands are in the order of AT&T, of one character or two:
 *
 *	V H W	a vector register: of ModRM's middle, of the prefix, of ModRM's end. W may
 *		be memory. Its width: f the whole vector, h half of it, x 128 bits
 *	G D E	a general register of the same places; E may be memory. Its size: d 4
 *		bytes, q 8, s 2, w by the bit W of the prefix
 *	K h k	a mask register of the same places
 *	T	a tile register, of the place that the next character names
 *	M J	memory, without another form; J: its index is a vector of that width
 *	I	a constant
 *	R S	rounding, or suppressing exceptions, if the prefix has that
 *
 * The memory operand: the unit of its short displacement, and the size of an element that
 * can be repeated. f h q e: the vector, a half, quarter, eighth of it; m: 8 bytes of a
 * vector of 16, or all; 6 and 3: 16 and 32; other digits: bytes. "": no memory.
 * "=3": no memory, and ModRM's end is 3, as part of the opcode.
 *
 * Names: "*": x or y follows, if memory of less than 512 bits is not repeated; "+": x, y
 * or z.
 */
#ifndef LIBEXPT_DISASSEMBLY_X86_VECTOR_H
#define LIBEXPT_DISASSEMBLY_X86_VECTOR_H

#include "libexpt/disassembly/text.h"
#include "libexpt/disassembly/x86_layout.h"

struct x86_vector_row {
	uint8_t opcode;
	int8_t extension;  /* ModRM's middle, or -1 */
	uint8_t prefix, w; /* none, 66, f3, f2: 0 to 3; f2 and 66: 4. w 2: any */
	uint8_t levels;	   /* bits of the vector lengths */
	bool is_second;	   /* there is one with VEX (EVEX), or EVEX (VEX): named */
	const char *name, *operands, *memory;
};

struct x86_vector_table {
	const struct x86_vector_row *rows; /* by opcode */
	size_t count;
};

#define X86_VECTOR_TABLE(rows)                         \
	{                                              \
		(rows), sizeof(rows) / sizeof(*(rows)) \
	}

extern const struct x86_vector_table x86_evex_map_1, x86_evex_map_2, x86_evex_map_3,
	x86_evex_map_5, x86_evex_map_6, x86_vex_map_1, x86_vex_map_2, x86_vex_map_3,
	x86_legacy_map_1, x86_legacy_map_2, x86_legacy_map_3;

/* Whether the tables have the instruction. */
bool x86_is_vector_instruction(const struct x86_layout *layout);
/* Add the mnemonic and operands of an instruction that they have. */
void x86_add_vector_instruction(struct text *mnemonic, struct text *operands,
				const struct x86_layout *layout);

#endif
