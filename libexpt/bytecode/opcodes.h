/* SPDX-License-Identifier: Apache-2.0 */
/* The opcodes of the Java machine. */
#ifndef LIBEXPT_BYTECODE_OPCODES_H
#define LIBEXPT_BYTECODE_OPCODES_H

/* How the bytes after the opcode are read. */
enum form {
	PLAIN,	/* none */
	BYTE,	/* a number */
	SHORT,	/* one of two bytes */
	ENTRY1, /* a constant's number of one byte */
	ENTRY,	/* of two */
	LOCAL,	/* a variable's number of one byte, or after wide of two */
	INCREASE,
	BRANCH, /* an offset of two bytes */
	JUMP,
	CALL,
	FAR_JUMP, /* of four */
	FAR_CALL,
	RETURN,
	RETURN_LOCAL,
	SWITCH,
	LOOKUP,
	INVOKE,	   /* a constant's number */
	INTERFACE, /* the same, the number of arguments and a zero */
	DYNAMIC,   /* the same and two zeros */
	TYPE,	   /* of an array's items */
	MULTIPLE,  /* a constant's number and that of dimensions */
	WIDE,
	BAD,
};

struct opcode {
	const char *mnemonic;
	enum form form;
};

#define OPCODES 202

extern const struct opcode opcodes[OPCODES];

#endif
