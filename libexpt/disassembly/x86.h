/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86-64. */
#ifndef LIBEXPT_DISASSEMBLY_X86_H
#define LIBEXPT_DISASSEMBLY_X86_H

#include "libexpt/disassembly/decoder.h"
#include "libexpt/disassembly/disassembly.h"

/* Fill *out, which has the address; there is at least one byte. */
void x86_disassemble(struct decoder *decoder, const unsigned char *bytes, size_t size,
		     struct instruction *out);

#endif
