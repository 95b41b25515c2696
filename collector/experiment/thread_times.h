/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of all threads together: how long they lived, and how long they waited for a
 * processor. The second never grows by more than the first without the CPU time used.
 */
#ifndef COLLECTOR_EXPERIMENT_THREAD_TIMES_H
#define COLLECTOR_EXPERIMENT_THREAD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct thread_times {
	uint64_t real_ns, wait_cpu_ns;
};

/* The baseline. used_ns: the CPU time of the process. Call these with signals blocked, in
 * one thread at a time. */
struct thread_times thread_times_first(uint64_t now, uint64_t used_ns);
/* is_last: ask about all threads, and not only as many as may be asked about so soon. */
struct thread_times thread_times_at(uint64_t now, uint64_t used_ns, bool is_last);

#endif
