/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions as text, in the words of objdump(1) in AT&T syntax. Bytes of any kind may
 * be given: every call consumes at least one, and text never exceeds its buffer.
 */
#ifndef LIBEXPT_DISASSEMBLY_DISASSEMBLY_H
#define LIBEXPT_DISASSEMBLY_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct disassembler;

/* Bytes that are no instruction. */
#define INSTRUCTION_BAD "(bad)"

struct instruction {
	uint64_t address;
	size_t size;
	enum expt_instruction_kind kind;
	char mnemonic[128]; /* with prefixes: "rep stos" */
	char operands[160]; /* a target as "1030", other numbers as "0x10" */
	bool has_target;    /* a call or branch to a constant address */
	uint64_t target;
	bool has_memory; /* an operand relative to the instruction's address */
	uint64_t memory;
};

/* Open for a machine, one of elf.h's EM_. -ENOTSUP: it is not a supported one; -ELIBACC:
 * capstone cannot be loaded. */
int disassembler_open(struct disassembler **out, unsigned machine,
		      struct expt_error *err);
void disassembler_close(struct disassembler *disassembler);

/* Read the instruction at the beginning of the bytes, which are at an address: returns
 * its size, which is 0 only if there are no bytes. */
size_t disassemble(struct disassembler *disassembler, const unsigned char *bytes,
		   size_t size, uint64_t address, struct instruction *out);

#endif
