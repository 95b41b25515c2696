/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions as the data flow sees them, whatever the processor: what they do with
 * pointers, and which memory they access.
 */
#ifndef LIBEXPT_INSTRUCTIONS_STEP_H
#define LIBEXPT_INSTRUCTIONS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

#define REGISTERS     16 /* by their numbers in DWARF */
#define REGISTER_NONE (-1)
/* Part of an operand's address that is not in one of them. */
#define REGISTER_OTHER (-2)

enum step_kind {
	STEP_OTHER,    /* registers in written lose their values */
	STEP_MOVE,     /* to = from */
	STEP_MAYBE,    /* to = to or from */
	STEP_NUMBER,   /* to = number */
	STEP_ADDRESS,  /* to = address of the operand */
	STEP_LOAD,     /* to = what is in memory */
	STEP_STORE,    /* memory = from */
	STEP_ADD,      /* to += from, or number if from is none */
	STEP_SUBTRACT, /* to -= number */
	STEP_MULTIPLY, /* to = from * number */
	STEP_MASK,     /* to &= number */
	STEP_FLAG,     /* lowest byte of to = 0 or 1 */
	STEP_BYTE,     /* to = lowest byte of from */
	STEP_PUSH,     /* of from, or of REGISTER_OTHER */
	STEP_POP,
	STEP_LEAVE, /* stack pointer = frame pointer, and pop of the frame pointer */
	STEP_CALL,
	STEP_JUMP,
	STEP_BRANCH,
	STEP_RETURN, /* and other ends of the way */
};

struct operand {
	int64_t displacement;
	int8_t base, index;
	uint8_t scale;
	bool is_relative; /* displacement is an address in the object's file */
	bool is_thread;	  /* relative to the thread's memory */
	bool is_moving;	  /* the instruction repeats itself, and changes the base */
};

/* There are many: the members are small. */
struct step {
	uint64_t address; /* in the object's file */
	uint64_t target;
	int64_t number;
	struct operand operand;
	enum step_kind kind;
	uint32_t written; /* registers, by bits */
	uint16_t width;	  /* of the access, in bytes */
	uint8_t size;
	int8_t to, from;
	bool is_narrow; /* it computes with half of a register */
	bool is_access; /* the operand is accessed */
	bool is_write;
	bool is_filler;	 /* it does nothing: compilers align code with such */
	bool is_target;	 /* of a jump or branch in the function */
	bool has_target; /* of a call, jump or branch */
};

/* The calling convention of a processor; see x86_64.c. */
struct convention {
	int stack_pointer, frame_pointer;
	int result, more_result; /* of one word, and the second one */
	int parameters[6];	 /* numbers and addresses */
	uint32_t lost;		 /* registers that a call changes */
	uint64_t address_end;	 /* programs have no addresses from here on */
	int64_t entry; /* the stack pointer at the entry, from the frame address */
	/* Bytes below the stack pointer that functions without calls may use. */
	int64_t below;
};

struct step_reader;

/* -ENOTSUP: not this machine, one of elf.h's EM_; -ELIBACC: capstone cannot be loaded. */
int step_reader_open(struct step_reader **out, unsigned machine, struct expt_error *err);
void step_reader_close(struct step_reader *reader);
const struct convention *step_convention(const struct step_reader *reader);
/* Read the instruction at the beginning of bytes; false: there is none. */
bool step_read(struct step *step, struct step_reader *reader, const unsigned char *bytes,
	       size_t size, uint64_t address);

#endif
