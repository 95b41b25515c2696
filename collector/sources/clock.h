/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling: a timer on the CPU clock of every thread. */
#ifndef COLLECTOR_SOURCES_CLOCK_H
#define COLLECTOR_SOURCES_CLOCK_H

#include <signal.h>
#include <ucontext.h>

#include "collector/files/source.h"

extern const struct data_source clock_source;

/* Returns true if the signal comes from one of the collector's timers. */
bool clock_is_tick(const siginfo_t *info);

/* Does a tick end a call that sleeps? */
bool clock_interrupts_calls(void);

/* In the handler: the time that its work takes is not the program's. If this returns
 * true, call own_time_end() after the work. */
bool clock_begin_own(struct thread *thread, const siginfo_t *info);

/* In the handler: the CPU time that has come to the thread, to be recorded with the stack
 * at which it was interrupted; or later. */
uint64_t clock_take(struct thread *thread, const siginfo_t *info,
		    const ucontext_t *context);
void clock_record(struct thread *thread, uint64_t now, uint64_t stack, uint64_t time_ns);
/* In the thread itself: its timer sends this signal from now on. false: it does so
 * already, or there is no timer. See blocked.h. */
bool clock_change_signal(struct thread *thread, int signal);
void clock_defer(struct thread *thread, uint64_t time_ns);

/* Call before an exec, in the only thread of a child that has met no event. Returns the
 * time that the thread has used. The new image records it, so that the child needs no
 * files; defer it if the exec fails. */
uint64_t clock_pass_on(struct thread *thread);

#endif
