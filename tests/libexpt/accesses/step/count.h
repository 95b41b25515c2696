/* SPDX-License-Identifier: Apache-2.0 */
/* How many accesses, and how many instructions, were told truly. */
#ifndef STEP_COUNT_H
#define STEP_COUNT_H

#include "libexpt/accesses/access.h"
#include "tests/libexpt/accesses/step/judge.h"

/* How access_find() is asked: with the address and the registers of the access, or
 * without. */
enum mode { MODE_ADDRESS, MODE_STATIC, MODES };

/* Where an access goes to: to an object that the truth knows, in three regions; to
 * another place of the stack; or elsewhere. */
enum region {
	REGION_HEAP,
	REGION_GLOBAL,
	REGION_STACK,
	REGION_SLOT,
	REGION_ELSEWHERE,
	REGIONS
};

#define REASONS (ACCESS_NONE + 1)

struct counts {
	size_t verdicts[MODES][REGIONS][VERDICTS];
	size_t reasons[MODES][REGIONS][REASONS]; /* of VERDICT_UNKNOWN */
	size_t instructions[MODES][VERDICTS];	 /* the worst verdict of each */
};

/* Returns a word for a reason. */
const char *count_reason(enum access_reason reason);
void count_access(struct counts *counts, enum mode mode, enum region region,
		  enum verdict verdict, enum access_reason reason);
void count_print(const struct counts *counts);

#endif
