/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions whose constant is part of their name. */
#ifndef LIBEXPT_DISASSEMBLY_X86_COMPARE_H
#define LIBEXPT_DISASSEMBLY_X86_COMPARE_H

#include "libexpt/disassembly/text.h"
#include "libexpt/disassembly/x86_layout.h"

/* Move the constant from the operands, where it is first, into a mnemonic that is among
 * those: "vpcmpub" becomes "vpcmpltub". */
void x86_name_comparison(struct text *mnemonic, struct text *operands,
			 const struct x86_layout *layout);

#endif
