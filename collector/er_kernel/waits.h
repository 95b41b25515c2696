/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that wait: since when, and where. */
#ifndef COLLECTOR_ER_KERNEL_WAITS_H
#define COLLECTOR_ER_KERNEL_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct wait {
	pid_t thread, process; /* thread 0: the slot is free */
	uint64_t since_ns;     /* 0: it runs */
	uint64_t rest_ns;      /* of earlier waits, less than a microsecond */
	uint64_t stack;	       /* in the process's experiment */
	bool is_preempted;     /* it would go on if it had a processor */
};

struct waits {
	struct wait *slots; /* open addressing; threads that have ended keep theirs */
	size_t size, used;
};

/* The thread leaves its processor. */
void waits_begin(struct waits *waits, const struct wait *wait);
/* Returns what is known of the thread, or NULL. */
struct wait *waits_find(const struct waits *waits, pid_t thread);
/* End the thread's wait, and return its length in whole microseconds. */
uint64_t wait_end(struct wait *wait, uint64_t now_ns);
void waits_release(struct waits *waits);

#endif
