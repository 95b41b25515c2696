/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code of functions, and its instructions. */
/* clang-format off */
#ifndef LIBEXPT_API_CODE_H
#define LIBEXPT_API_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/objects.h"

EXPT_DECLARATIONS_BEGIN

struct expt_instructions;		/* an iterator over a function */

/* The code of a function: bytes live as long as its object, and may be fewer than its
 * size. address: of the first byte, as in the symbol table of its file; dynamic code has
 * that of the process. -ENOENT, with the reason: the code is not available, because only
 * a description was archived, or the file is not the recorded one; or, for dynamic code,
 * because it was not recorded. */
struct expt_code {
	const unsigned char *bytes;
	size_t size;
	uint64_t address;
};
int expt_function_code(const struct expt_function *function, struct expt_code *code,
		       struct expt_error *err);

enum expt_instruction_kind {
	EXPT_INSTRUCTION_OTHER, EXPT_INSTRUCTION_BAD,	/* no instruction */
	EXPT_INSTRUCTION_CALL, EXPT_INSTRUCTION_RETURN,
	EXPT_INSTRUCTION_JUMP, EXPT_INSTRUCTION_BRANCH,	/* without and with a condition */
};

/* An address in the same object. */
struct expt_code_address {
	bool is_known;
	uint64_t address;
	const struct expt_function *function;	/* NULL: none is there */
	uint64_t offset;		/* in it */
};

/* Strings are valid until the next call. */
struct expt_instruction {
	uint64_t address, offset;	/* the offset is from the function's start */
	const unsigned char *bytes;
	size_t size;
	enum expt_instruction_kind kind;
	bool is_bytecode;		/* of the Java machine, counted in decimal */
	const char *mnemonic;		/* with its prefixes: "rep stos" */
	const char *operands;		/* "%rax,0x10(%rsp)", "1030 <puts@plt>", or "" */
	struct expt_code_address target; /* of a call, jump or branch to a constant */
	struct expt_code_address memory; /* of an operand relative to the instruction */
};

/* The instructions of a function, in the words of objdump(1); of a Java method, its
 * bytecode in the words of javap(1), without memory operands. form: of the names of
 * targets. -ENOENT as expt_function_code(), or, of a Java method, its class file is not
 * there; -ENOTSUP: an unsupported processor; -ELIBACC:
 * libcapstone is missing. */
int expt_instructions_open(struct expt_instructions **out,
			   const struct expt_function *function, enum expt_name_form form,
			   struct expt_error *err);
bool expt_instructions_next(struct expt_instructions *instructions,
			    struct expt_instruction *instruction);
void expt_instructions_close(struct expt_instructions *instructions);

EXPT_DECLARATIONS_END

#endif
