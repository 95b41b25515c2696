/* SPDX-License-Identifier: Apache-2.0 */
/* Mnemonics: capstone's as objdump(1) writes them. */
#ifndef LIBEXPT_DISASSEMBLY_X86_NAMES_H
#define LIBEXPT_DISASSEMBLY_X86_NAMES_H

#include <stdbool.h>

#include "libexpt/disassembly/text.h"

/* A mnemonic that ends with a size, which objdump omits if a register shows it. */
struct x86_name {
	const char *name;
	int length;	  /* without the suffix */
	char suffix;	  /* b, w, l, q, or 0: it has none */
	bool is_shift;	  /* only the last operand shows its size ... */
	bool is_source;	  /* ... or only the first */
	bool is_constant; /* the suffix is never shown */
};

/* Returns a mnemonic without the prefixes that capstone writes in front of it. */
const char *x86_last_word(const char *mnemonic);
struct x86_name x86_name(const char *mnemonic);

#endif
