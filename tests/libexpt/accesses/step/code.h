/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the program, and the memory that they access. */
#ifndef STEP_CODE_H
#define STEP_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

struct code; /* decodes instructions */

#define OPERANDS_MAX 2

struct memory_operand {
	unsigned base, index, segment; /* registers of capstone */
	int scale;
	int64_t displacement;
	size_t size;
};

struct code_instruction {
	unsigned char size;
	bool is_repeated;
	/* Operands that access memory explicitly; none of calls, prefetches and such. */
	unsigned char count;
	struct memory_operand operands[OPERANDS_MAX];
};

struct code *code_open(void);
void code_close(struct code *code);
/* Decode the instruction at an address; false: it is not known. */
bool code_read(struct code *code, const unsigned char *bytes, size_t size,
	       uint64_t address, struct code_instruction *out);
/* Returns the text of the instruction that was read last. */
const char *code_text(struct code *code);
/* Whether the instruction accesses its operand now, and at what address. */
bool code_address(const struct code_instruction *instruction, size_t operand,
		  const struct user_regs_struct *registers, uint64_t *address);

#endif
