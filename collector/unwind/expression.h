/* SPDX-License-Identifier: Apache-2.0 */
/* Rules, applied: registers of the caller, and expressions that rows can replace. */
#ifndef COLLECTOR_UNWIND_EXPRESSION_H
#define COLLECTOR_UNWIND_EXPRESSION_H

#include "collector/unwind/cfi.h"

/* Replace the registers by those of the caller. False: a rule needs an unknown register,
 * or a word cannot be read. A register without a rule counts as unchanged even if calls
 * need not preserve it, because hand-written code relies on that between its own
 * functions: callers that need such a register must doubt the result. */
bool cfi_apply(const struct cfi_rules *rules, struct registers *registers);

/* Is the CFA the stack pointer's value plus *offset wherever the stack is? Linkage stubs
 * have a rule that tests the low bits of pc. */
bool cfi_cfa_is_fixed(const struct cfi_rules *rules, uintptr_t pc, int64_t *offset)
	__attribute__((cold));

/* Is the CFA's expression a load from register + *offset, plus *addend? */
bool cfi_cfa_is_load(const struct cfi_rules *rules, unsigned *base, int64_t *offset,
		     int64_t *addend) __attribute__((cold));

/* Is the register saved at base + *offset by a RULE_EXPRESSION? */
bool cfi_is_saved_at(const struct cfi_rules *rules, unsigned which, unsigned *base,
		     int64_t *offset) __attribute__((cold));

#endif
