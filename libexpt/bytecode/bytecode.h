/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of the Java machine as text, in the words of javap(1). Source: The Java
 * Virtual Machine Specification, chapter 6. Code of any kind may be given.
 */
#ifndef LIBEXPT_BYTECODE_BYTECODE_H
#define LIBEXPT_BYTECODE_BYTECODE_H

#include "libexpt/api/code.h"
#include "libexpt/bytecode/class_file.h"

/* Strings are valid until the next call. */
struct bytecode {
	size_t size;
	enum expt_instruction_kind kind;
	const char *mnemonic;
	struct strbuf operands; /* "#7  // Method java/lang/Math.sqrt:(D)D", "1, 10" */
	bool has_target;	/* of a jump or branch, as an offset in the code */
	uint64_t target;
};

/* clang-format off */
#define BYTECODE_INIT	{ .operands = STRBUF_INIT }
/* clang-format on */

void bytecode_release(struct bytecode *bytecode);

/* Read the instruction at an offset of the code. Returns its size, which is 0 only at the
 * end. */
size_t bytecode_read(struct bytecode *bytecode, const struct class_file *file,
		     const struct class_code *code, size_t offset);

#endif
