/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that objdump(1) writes in another way than capstone. */
#ifndef LIBEXPT_DISASSEMBLY_X86_RULES_H
#define LIBEXPT_DISASSEMBLY_X86_RULES_H

#include "libexpt/disassembly/x86_layout.h"
#include "libexpt/disassembly/x86_names.h"

#define OPERANDS_MAX 6

struct operand {
	const char *text;
	size_t length;
	bool is_final; /* to be written as it is */
};

struct operands {
	struct operand items[OPERANDS_MAX];
	size_t count;
};

/* Change the name and the operands of an instruction; false: objdump does not know it. */
bool x86_apply_rules(const struct x86_layout *layout, struct x86_name *name,
		     struct operands *operands);

#endif
