/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as capstone writes them, in AT&T syntax on x86. It is loaded at the first
 * use. */
#ifndef LIBEXPT_DISASSEMBLY_DECODER_H
#define LIBEXPT_DISASSEMBLY_DECODER_H

#include <capstone/capstone.h>

#include "libexpt/expt.h"

struct decoder {
	csh handle;
	cs_insn *instruction; /* the last one */
};

int decoder_open(struct decoder *decoder, cs_arch architecture, cs_mode mode,
		 struct expt_error *err);
void decoder_close(struct decoder *decoder); /* accepts a zeroed one */

/* Read an instruction into decoder->instruction; false: capstone does not know it. */
bool decoder_read(struct decoder *decoder, const unsigned char *bytes, size_t size);

#endif
