/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's events: each has a ring on each processor, which is emptied as fast as its
 * records can be copied. */
#ifndef COLLECTOR_OUTSIDE_RINGS_H
#define COLLECTOR_OUTSIDE_RINGS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/outside/batch.h"

struct rings {
	struct ring {
		int fd, cpu;
		size_t size;	   /* data bytes */
		unsigned mark;	   /* of its samples and losses; see record.h */
		bool keeps_stacks; /* of threads in the kernel, too */
		bool is_over;	   /* all its threads have ended */
		struct perf_event_mmap_page *page;
	} * items;
	size_t count;
	int *joined; /* events of other threads that write to the rings */
	size_t joined_count;
	bool have_stacks; /* RECORD_STACK_TYPE */
	unsigned mark;	  /* this and the next: of rings that are added from now on */
	bool keep_stacks;
};

/* Returns the attributes of an event that is disabled and reports processes, threads,
 * programs and code; to be completed. */
struct perf_event_attr rings_event(uint64_t period_ns);
/* Add rings for this event of a thread and those that inherit it, or of all threads if it
 * is -1. If the kernel grants no rings of that size, a power of two, they are smaller.
 * Returns 0, or a negative errno: none was added. Begin with zeros. */
int rings_add(struct rings *rings, struct perf_event_attr *event, pid_t thread,
	      size_t size);
/* The same, but with smaller rings nothing is added. */
int rings_add_large(struct rings *rings, struct perf_event_attr *event, pid_t thread,
		    size_t size);
/* Let this event of another thread write to the rings that were added last, which have so
 * many. Returns 0, or a negative errno. */
int rings_join(struct rings *rings, const struct perf_event_attr *event, pid_t thread,
	       size_t count);
void rings_enable(const struct rings *rings, bool are_enabled);
void rings_close(struct rings *rings);

/* Wait until rings fill up, at most limit_ms. False: all threads have ended. */
bool rings_wait(struct rings *rings, int limit_ms);
/* Move all records out of the rings. */
void rings_drain(const struct rings *rings, struct batch *batch);
/* Returns the sum of all events: for clocks, the nanoseconds. */
uint64_t rings_total(const struct rings *rings);

#endif
