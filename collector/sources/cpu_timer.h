/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU clock of a thread, and timers on it. */
#ifndef COLLECTOR_CPU_TIMER_H
#define COLLECTOR_CPU_TIMER_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct thread;

/* Of any thread of the process. */
clockid_t cpu_clock_of(pid_t tid);

/* *timer, which is -1, becomes the kernel's number unless the kernel refuses. Its signals
 * carry the mark; the first one comes at this time of the clock. */
void cpu_timer_start(int *timer, const struct thread *thread, void *mark,
		     uint64_t first_ns, uint64_t period_ns);
void cpu_timer_delete(int *timer);

#endif
