/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information: the contents of .eh_frame for one address. None of it is
 * trusted; the cost is bounded by the size of the function's entry, and nothing is
 * allocated.
 */
#ifndef COLLECTOR_UNWIND_CFI_H
#define COLLECTOR_UNWIND_CFI_H

#include "collector/unwind/x86_64.h"

/* The call frame information of one object. All its bytes are in [low, high). */
struct cfi_section {
	uintptr_t low, high;
	uintptr_t header; /* .eh_frame_hdr; 0: the object has no rules */
	uintptr_t frames; /* .eh_frame, searched from its start if there is no table */
	uintptr_t table;  /* pairs of function and entry, sorted, relative to base and
			     header; or 0 */
	uintptr_t base;	  /* of the functions: the header, except for .debug_frame */
	uint32_t count;
};

enum rule_kind {
	RULE_DEFAULT, /* unchanged, or lost in the call: see cfi_apply() */
	RULE_SAME,
	RULE_UNDEFINED,
	RULE_OFFSET,	       /* saved at CFA + value */
	RULE_VALUE_OFFSET,     /* is CFA + value */
	RULE_REGISTER,	       /* is in register value */
	RULE_EXPRESSION,       /* saved at the result of the expression */
	RULE_VALUE_EXPRESSION, /* is the result */
};

/* An expression is kept as the offset of its length from the start of the entry. */
struct cfi_state {
	int32_t cfa_value; /* offset, or an expression */
	int32_t values[REGISTERS];
	uint8_t kinds[REGISTERS]; /* enum rule_kind; REGISTER_PC: the return address */
	uint8_t cfa_register;
	bool cfa_is_expression;
};

struct cfi_rules {
	struct cfi_state state;
	bool is_signal_frame;
	uintptr_t entry, end;  /* the entry's bytes */
	uintptr_t start, size; /* the code covered by the entry */
};

enum cfi_result { CFI_FOUND, CFI_NONE, CFI_DAMAGED };

/* Find the parts of the header. False: it has nothing usable. */
bool cfi_section_init(struct cfi_section *section, uintptr_t header, uintptr_t low,
		      uintptr_t high);

/* Find the rules at pc. CFI_NONE: no entry covers it. *hint is the index in the table for
 * an address near pc, and becomes that of pc: tables of large objects are not in the
 * cache, and a search in them is slow. Any value is allowed. */
enum cfi_result cfi_find(struct cfi_rules *rules, const struct cfi_section *section,
			 uintptr_t pc, uint32_t *hint);

#endif
