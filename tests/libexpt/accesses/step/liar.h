/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are true, or not, on purpose: a test of the judge. */
#ifndef STEP_LIAR_H
#define STEP_LIAR_H

#include "libexpt/accesses/access.h"
#include "tests/libexpt/accesses/step/judge.h"

/* Answer for an instruction that accesses an object; how depends on its address. Returns
 * the verdict that is due. */
enum verdict liar_answer(enum access_reason *reason, struct strbuf *text,
			 const struct truth_tables *tables,
			 const struct truth_chains *chains, uint64_t pc);

#endif
