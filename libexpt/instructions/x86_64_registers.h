/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of x86-64 by their numbers in DWARF. */
#ifndef LIBEXPT_INSTRUCTIONS_X86_64_REGISTERS_H
#define LIBEXPT_INSTRUCTIONS_X86_64_REGISTERS_H

enum { X86_AX, X86_DX, X86_CX, X86_BX, X86_SI, X86_DI, X86_BP, X86_SP };

/* Returns the number of a register that capstone names, or REGISTER_OTHER; *width becomes
 * its size in bytes. */
int x86_64_register(unsigned name, unsigned *width);

#endif
