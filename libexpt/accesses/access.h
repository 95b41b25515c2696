/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an instruction that accesses memory to the data object that it accesses: a data
 * flow over its function finds what its registers point to. Answers are never guesses.
 */
#ifndef LIBEXPT_ACCESSES_ACCESS_H
#define LIBEXPT_ACCESSES_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/accesses/descriptor.h"
#include "libexpt/objects/object.h"

/* Why the data object of an access is not known. */
enum access_reason {
	ACCESS_FOUND,
	ACCESS_WITHOUT_DEBUG_DATA, /* "(Unascertainable)": none for its code */
	ACCESS_UNIDENTIFIED,	   /* the instruction is known, no variable or type is */
	ACCESS_UNSPECIFIED,	   /* its object is known, but not the type */
	ACCESS_UNDETERMINED,	   /* a temporary: a stack slot without a variable */
	ACCESS_ADDRESS,		   /* the event's address is not one of a program */
	ACCESS_REGISTERS,	   /* registers would have told it, but have changed */
	ACCESS_NONE,		   /* the instruction does not access memory */
	/* The instruction is not known; see enum backtrack: */
	ACCESS_NOT_FOUND,
	ACCESS_INSTRUCTION,
	ACCESS_BRANCH_TARGET,
	ACCESS_NOT_VERIFIED,
};

/* How the instruction is found from where the program was interrupted. */
enum access_search {
	ACCESS_AT,   /* it is the one there */
	ACCESS_NEXT, /* it is the one before that */
	ACCESS_BACK, /* it is the last one before that which accesses memory */
	ACCESS_FROM, /* it is known; the program must have come straight from it */
};

/* An event, as far as it says something of the access. */
struct access_event {
	bool has_address, has_registers;
	/* Registers were taken later, when these had other values; access_find() finds
	 * out:
	 */
	bool has_other_operands; /* those of the instruction's operand */
	bool has_other_stack;	 /* the stack pointer */
	enum access_search search;
	unsigned kind;		/* ACCESS_BACK: 1 loads, 2 stores, 3 either */
	uint64_t interrupted;	/* where the program was; 0: unknown */
	uint64_t pc;		/* of the instruction, in the process */
	uint64_t address;	/* of the data */
	uint64_t registers[16]; /* by their numbers in DWARF */
};

/* The functions that were examined so far. */
struct accesses;

struct accesses *accesses_open(void); /* NULL: out of memory */
/* Call before the experiments of their objects are closed. */
void accesses_close(struct accesses *accesses);

/* Find the data of the instruction at an offset in the image of an object. */
enum access_reason access_find(struct data_place *out, struct accesses *accesses,
			       struct expt_object *object, uint64_t offset,
			       const struct access_event *event);
#endif
