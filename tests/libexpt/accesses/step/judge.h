/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors compared with the truth. */
#ifndef STEP_JUDGE_H
#define STEP_JUDGE_H

#include "tests/libexpt/accesses/step/truth.h"

/* Better ones first. */
enum verdict {
	VERDICT_RIGHT, /* the object and the member */
	VERDICT_TYPE,  /* less than is known, and no contradiction */
	VERDICT_OPEN,  /* the truth does not go that far */
	VERDICT_UNKNOWN,
	VERDICT_WRONG,
	VERDICTS
};

/* Judge the answer for an access to an object. */
enum verdict judge(const struct truth_chains *chains, const char *answer);
/* Judge the answer for an access where there is no object that the truth knows. */
enum verdict judge_elsewhere(const struct truth_tables *tables,
			     const struct tracee *tracee, bool is_stack,
			     const char *answer);

#endif
