/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions after which another one than the next may run. */
#ifndef LIBEXPT_DISASSEMBLY_X86_FLOW_H
#define LIBEXPT_DISASSEMBLY_X86_FLOW_H

#include "libexpt/disassembly/x86_layout.h"
#include "libexpt/expt.h"

struct x86_flow {
	enum expt_instruction_kind kind;
	bool has_target; /* the immediate is the distance of a constant one */
	bool has_bounds; /* prefix f2 keeps the bounds of MPX */
};

/* Returns ",pn" or ",pt" for a branch that a prefix marks as rarely or often taken; or
 * "". */
const char *x86_hint(const struct x86_layout *layout);
struct x86_flow x86_flow(const struct x86_layout *layout);

#endif
