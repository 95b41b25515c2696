/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps processes up to date, and the experiments of those that are followed. */
#ifndef COLLECTOR_ER_KERNEL_TRACKER_H
#define COLLECTOR_ER_KERNEL_TRACKER_H

#include <regex.h>

#include "collector/er_kernel/events.h"
#include "collector/er_kernel/processes.h"
#include "collector/er_kernel/waits.h"

struct tracker {
	const struct plan *plan;
	struct numbered processes; /* struct process */
	struct numbered waits;	   /* struct wait */
	regex_t regex;
	bool has_regex;
	pid_t load;	   /* 0: none */
	bool has_waits;	   /* the load tells when it waits */
	uint64_t start_ns; /* of the recording */
	struct event_stacks stacks;
};

/* Returns 0, or a negative errno. */
int tracker_open(struct tracker *tracker, const struct plan *plan);
/* Look at the processes that there are. The kernel reports others already. */
void tracker_look(struct tracker *tracker);
/* Take a record that tells of processes. */
void tracker_take(struct tracker *tracker, const struct perf_record *record);
/* A thread leaves its processor, until a record of the switch tells otherwise. */
void tracker_leave(struct tracker *tracker, const struct perf_record *record);
/* A process spent this time outside of the kernel. Returns the number of the stack; 0:
 * there is none. */
uint64_t tracker_spend(struct tracker *tracker, const struct perf_record *record,
		       uint64_t time_us);
/* The counter has counted its events outside of the kernel. */
void tracker_count(struct tracker *tracker, const struct perf_record *record,
		   size_t counter);
void tracker_flush(struct tracker *tracker, uint64_t now_ns);
void tracker_close(struct tracker *tracker, uint64_t now_ns);

#endif
