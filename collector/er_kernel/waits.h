/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that wait: since when, and where. */
#ifndef COLLECTOR_ER_KERNEL_WAITS_H
#define COLLECTOR_ER_KERNEL_WAITS_H

#include <stdint.h>

#include "collector/outside/numbered.h"

/* Items of a table of threads; those that have ended keep theirs. */
struct wait {
	pid_t thread, process;
	uint64_t since_ns; /* 0: it runs */
	uint64_t rest_ns;  /* of earlier waits, less than a microsecond */
	uint64_t stack;	   /* in the process's experiment */
	bool is_preempted; /* it would go on if it had a processor */
};

/* The thread leaves its processor. */
void waits_begin(struct numbered *waits, const struct wait *wait);
/* End the thread's wait, and return its length in whole microseconds. */
uint64_t wait_end(struct wait *wait, uint64_t now_ns);

#endif
