/* SPDX-License-Identifier: Apache-2.0 */
/* Mnemonic and operands, from capstone's words and the bytes of the instruction. */
#ifndef LIBEXPT_DISASSEMBLY_X86_OPERANDS_H
#define LIBEXPT_DISASSEMBLY_X86_OPERANDS_H

#include "libexpt/disassembly/text.h"
#include "libexpt/disassembly/x86_layout.h"

/* Add the mnemonic to the names of prefixes, and the operands. The last two are
 * capstone's. False: objdump(1) does not know the instruction. */
bool x86_add_instruction(struct text *mnemonic, struct text *operands,
			 const struct x86_layout *layout, const char *name,
			 const char *list);

#endif
