/* SPDX-License-Identifier: Apache-2.0 */
/* Operands in memory, and names of registers. */
#ifndef LIBEXPT_DISASSEMBLY_X86_MEMORY_H
#define LIBEXPT_DISASSEMBLY_X86_MEMORY_H

#include "libexpt/disassembly/text.h"
#include "libexpt/disassembly/x86_layout.h"

enum x86_width { X86_XMM, X86_YMM, X86_ZMM };

/* An address as the instruction has it. */
struct x86_memory {
	int64_t unit;	      /* of a displacement of one byte; 1 without EVEX */
	bool has_vector;      /* the index is a vector register ... */
	enum x86_width width; /* ... of this width */
};

void x86_add_memory(struct text *text, const struct x86_layout *layout,
		    const struct x86_memory *memory);
/* Whether the operand is relative to the next instruction; *distance then is from
 * there. */
bool x86_is_relative(const struct x86_layout *layout, int64_t *distance);
void x86_add_vector(struct text *text, enum x86_width width, unsigned number);
/* Add a general register, with 2, 4 or 8 bytes. */
void x86_add_register(struct text *text, unsigned number, unsigned size);

#endif
