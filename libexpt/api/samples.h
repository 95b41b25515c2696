/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the resources that the process has used. */
/* clang-format off */
#ifndef LIBEXPT_API_SAMPLES_H
#define LIBEXPT_API_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/open.h"

EXPT_DECLARATIONS_BEGIN

enum expt_usage_time {
	EXPT_TIME_USER, EXPT_TIME_SYSTEM, EXPT_TIME_TRAP, EXPT_TIME_USER_LOCK,
	EXPT_TIME_DATA_FAULT, EXPT_TIME_TEXT_FAULT, EXPT_TIME_KERNEL_FAULT,
	EXPT_TIME_STOPPED, EXPT_TIME_WAIT_CPU, EXPT_TIME_SLEEP, EXPT_TIME_COUNT,
};
enum expt_usage_count {
	EXPT_MINOR_FAULTS, EXPT_MAJOR_FAULTS, EXPT_SWAPS, EXPT_BLOCKS_IN, EXPT_BLOCKS_OUT,
	EXPT_MESSAGES_SENT, EXPT_MESSAGES_RECEIVED, EXPT_SIGNALS, EXPT_VOLUNTARY_SWITCHES,
	EXPT_INVOLUNTARY_SWITCHES, EXPT_SYSTEM_CALLS, EXPT_CHARACTERS,
	EXPT_USAGE_COUNT_COUNT,
};

struct expt_sample {
	uint64_t number;		/* 1 is the first */
	const char *start_label, *end_label;
	uint64_t start_ns, end_ns;	/* since the start of the experiment */
	uint64_t thread_ns;		/* real time of all threads together */
	uint64_t times_ns[EXPT_TIME_COUNT];
	int64_t counts[EXPT_USAGE_COUNT_COUNT];
};

/* Reads the overview file at the first call; without one there are no samples. */
size_t expt_sample_count(struct expt *expt);
const struct expt_sample *expt_sample(struct expt *expt, size_t i);

EXPT_DECLARATIONS_END

#endif
