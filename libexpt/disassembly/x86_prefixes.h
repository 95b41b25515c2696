/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes: those with an effect, and those that objdump(1) names because they have
 * none. */
#ifndef LIBEXPT_DISASSEMBLY_X86_PREFIXES_H
#define LIBEXPT_DISASSEMBLY_X86_PREFIXES_H

#include "libexpt/disassembly/decoder.h"
#include "libexpt/disassembly/text.h"
#include "libexpt/disassembly/x86_layout.h"

/* The prefixes that change what the instruction does. */
struct x86_prefixes {
	bool has_operand_size, has_address_size, has_segment, has_repeat, has_rex;
};

/* Read the instruction at layout, and find which prefixes count. */
bool x86_read(struct decoder *decoder, const struct x86_layout *layout,
	      struct x86_prefixes *prefixes);
/* Add the names of the prefixes, each followed by a space. */
void x86_add_prefixes(struct text *text, const struct x86_layout *layout,
		      const struct x86_prefixes *prefixes);

#endif
