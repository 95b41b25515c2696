/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU clock of a thread, and timers on it. */
#ifndef COLLECTOR_THREADS_CPU_TIMER_H
#define COLLECTOR_THREADS_CPU_TIMER_H

#include <stdint.h>
#include <sys/types.h>

struct thread;

/* The CPU clocks that the kernel has for each thread: two count its ticks, the third is
 * precise. The numbers are those of CPUCLOCK_PERTHREAD_MASK with CPUCLOCK_PROF,
 * CPUCLOCK_VIRT and CPUCLOCK_SCHED in the kernel. */
enum cpu_clock { CPU_CLOCK_ALL_TICKS = 4, CPU_CLOCK_USER_TICKS, CPU_CLOCK_PRECISE };

/* Read the clock of any thread of the process; 0 means the calling thread. Returns 0 if
 * the thread has ended. */
uint64_t cpu_clock_ns(pid_t tid, enum cpu_clock clock);

/* Set *timer, which is -1, to the kernel's number, unless the kernel refuses. The timer's
 * signals carry the mark; the first one is sent at this time of the clock. */
void cpu_timer_start(int *timer, const struct thread *thread, void *mark,
		     uint64_t first_ns, uint64_t period_ns);
/* Have any thread of the process interrupted once, when it next uses the processor ... */
void cpu_timer_start_once(int *timer, pid_t tid, int signal, void *mark);
/* ... and again, after that much more of it. */
void cpu_timer_repeat_once(int timer, uint64_t after_ns);
void cpu_timer_delete(int *timer);

#endif
