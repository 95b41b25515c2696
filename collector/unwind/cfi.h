/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information: what .eh_frame says about one address. Nothing in it is
 * trusted; the cost is bounded by the size of the function's entry, and nothing is
 * allocated.
 */
#ifndef COLLECTOR_UNWIND_CFI_H
#define COLLECTOR_UNWIND_CFI_H

#include "collector/unwind/x86_64.h"

/* Where one object keeps it. All bytes of it lie in [low, high). */
struct cfi_section {
	uintptr_t low, high;
	uintptr_t header; /* .eh_frame_hdr; 0: the object has none, and no rules */
	uintptr_t frames; /* .eh_frame, searched from its start when there is no table */
	uintptr_t table;  /* pairs of function and entry, sorted, relative to base and
			     header; or 0 */
	uintptr_t base;	  /* of the functions: the header but for .debug_frame */
	uint32_t count;
};

enum rule_kind {
	RULE_DEFAULT, /* the same, or lost in the call: see cfi_apply() */
	RULE_SAME,
	RULE_UNDEFINED,
	RULE_OFFSET,	       /* saved at CFA + value */
	RULE_VALUE_OFFSET,     /* is CFA + value */
	RULE_REGISTER,	       /* is in register value */
	RULE_EXPRESSION,       /* saved at the result of the expression */
	RULE_VALUE_EXPRESSION, /* is the result */
};

/* Expressions are kept as their distance from the entry's start; there stands their
 * length. */
struct cfi_state {
	int32_t cfa_value; /* offset, or the expression */
	int32_t values[REGISTERS];
	uint8_t kinds[REGISTERS]; /* enum rule_kind; REGISTER_PC: the return address */
	uint8_t cfa_register;
	bool cfa_is_expression;
};

struct cfi_rules {
	struct cfi_state state;
	bool is_signal_frame;
	uintptr_t entry, end;  /* the entry's bytes */
	uintptr_t start, size; /* the code that it covers */
};

enum cfi_result { CFI_FOUND, CFI_NONE, CFI_DAMAGED };

/* Finds the header's parts. False: there is nothing usable. */
bool cfi_section_init(struct cfi_section *section, uintptr_t header, uintptr_t low,
		      uintptr_t high);

/* The rules at pc. CFI_NONE: no entry covers it. *hint is where in the table an address
 * near pc was found, and then where pc was: tables of large objects are cold, and a
 * search in them is slow. It may be anything. */
enum cfi_result cfi_find(struct cfi_rules *rules, const struct cfi_section *section,
			 uintptr_t pc, uint32_t *hint);

/* Replaces the registers by those of the caller. False: a rule asks for what is not
 * known, or something cannot be read. A register without a rule counts as the same even
 * if calls need not keep it, because hand-written code relies on that between its own
 * functions: who needs such registers must look at the result twice. */
bool cfi_apply(const struct cfi_rules *rules, struct registers *registers);

/* The CFA if it is the stack pointer's value plus *offset wherever the stack is: linkage
 * stubs have a rule that looks at the pc's low bits. */
bool cfi_cfa_is_fixed(const struct cfi_rules *rules, uintptr_t pc, int64_t *offset)
	__attribute__((cold));

/* The CFA if its expression is: load from register + *offset, add *addend. */
bool cfi_cfa_is_load(const struct cfi_rules *rules, unsigned *base, int64_t *offset,
		     int64_t *addend) __attribute__((cold));

/* A register saved at base + *offset by a RULE_EXPRESSION. */
bool cfi_is_saved_at(const struct cfi_rules *rules, unsigned which, unsigned *base,
		     int64_t *offset) __attribute__((cold));

#endif
