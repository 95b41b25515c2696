/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User or system: the mode in which the kernel's tick has counted a thread's time. The
 * interrupted pc does not show it: a page fault returns to an ordinary instruction, and a
 * tick on the way out of a system call interrupts the program after its `syscall`. The
 * kernel counts the first as system time and the second as user time, as perf does.
 */
#ifndef COLLECTOR_SOURCES_CPU_MODE_H
#define COLLECTOR_SOURCES_CPU_MODE_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct thread;

#define CPU_MODE_USER (UINT64_C(1) << 32)

/* Call at the start of a thread. */
void cpu_mode_start(struct thread *thread);
/* Returns the share of user time since the last call, from 0 to CPU_MODE_USER. context:
 * in the handler of the thread's signal; NULL: in normal code, for any thread. */
uint64_t cpu_mode_ask(struct thread *thread, const ucontext_t *context);
/* Returns true if the kernel counted both modes between the last two calls. */
bool cpu_mode_is_mixed(const struct thread *thread);
/* Returns that share of a time. */
uint64_t cpu_mode_user_ns(uint64_t share, uint64_t time_ns);

#endif
