/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time that no thread with a timer of ours has used: io_uring's workers, which are
 * threads of the process that the kernel makes, and the ends of threads, which nothing in
 * them can see.
 */
#ifndef COLLECTOR_SOURCES_OTHER_THREADS_H
#define COLLECTOR_SOURCES_OTHER_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* At the start of a process, by its first thread. The phase, below one period, is added
 * to the time: whole periods are recorded then as often as they should be. */
void other_threads_start(uint64_t period_ns, uint64_t phase_ns);
/* A thread ends that has used so much. */
void other_threads_add_ended(uint64_t cpu_ns);
/* Record, or forget, the whole periods up to now. */
void other_threads_settle(uint64_t now, bool is_recorded);
/* Tell the log how much was recorded. */
void other_threads_report(void);

#endif
