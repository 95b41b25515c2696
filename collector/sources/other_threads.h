/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time of threads without a timer of the collector's: io_uring's workers, which the
 * kernel makes as threads of the process, and the ends of threads, which no code in the
 * thread can observe.
 */
#ifndef COLLECTOR_SOURCES_OTHER_THREADS_H
#define COLLECTOR_SOURCES_OTHER_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Call at the start of a recording, in a thread that is recorded. The phase, less than
 * one period, is added to the time, so that the expected number of whole periods is
 * right. */
void other_threads_start(uint64_t period_ns, uint64_t phase_ns);
/* Call when a thread ends that has used this much. */
void other_threads_add_ended(uint64_t cpu_ns);
/* Record, or drop, the whole periods up to now. */
void other_threads_settle(uint64_t now, bool is_recorded);
bool other_threads_are_counted(void);
/* Log how much was recorded, and count no more. */
void other_threads_end(void);
/* Forget what a parent has counted. */
void other_threads_forget(void);

#endif
