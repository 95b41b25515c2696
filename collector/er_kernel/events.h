/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the kernel that make records. */
#ifndef COLLECTOR_ER_KERNEL_EVENTS_H
#define COLLECTOR_ER_KERNEL_EVENTS_H

#include <stddef.h>
#include <sys/types.h>

#include "collector/er_kernel/plan.h"
#include "collector/outside/rings.h"

/* Sources of samples, as their rings are marked. */
enum {
	EVENT_CLOCK,
	EVENT_LEAVING,	/* a thread of the load leaves its processor */
	EVENT_COUNTERS, /* the first counter, and so on */
	EVENT_SOURCES = EVENT_COUNTERS + PLAN_COUNTERS_MAX,
};

/* The bytes of a stack that a sample of each source contains at most. */
struct event_stacks {
	size_t bytes[EVENT_SOURCES];
};

/* The threads to record; -1: all. */
struct event_threads {
	const pid_t *items;
	size_t count;
	size_t failed; /* those that could not be recorded, though they live */
};

/* Does the kernel permit it? Returns 0, or a negative errno. */
int events_check(const struct plan *plan);
/* Open the clock and the counters on all processors. Returns 0, or a negative errno. */
int events_open(struct rings *rings, const struct plan *plan, struct event_stacks *stacks,
		struct event_threads *threads);
/* Open what tells of waits of a process and its descendants. Returns 0, or a negative
 * errno. */
int events_open_waits(struct rings *rings, pid_t process, struct event_stacks *stacks);

#endif
