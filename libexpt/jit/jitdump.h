/* SPDX-License-Identifier: Apache-2.0 */
/* Files in perf's jitdump format: names, times and bytes of code. */
#ifndef LIBEXPT_JIT_JITDUMP_H
#define LIBEXPT_JIT_JITDUMP_H

#include "libexpt/jit/codes.h"

/* Returns whether a file that begins like this is one that this machine wrote. */
bool jitdump_begins(const void *head, size_t length);
/* Add the codes of the file. start_ns is the start of the experiment, on the clock of the
 * file. A file that is cut off is read up to there. 0 or as jit_codes_add(). */
int jitdump_read(struct jit_codes *codes, const void *bytes, size_t length,
		 uint64_t start_ns);

#endif
