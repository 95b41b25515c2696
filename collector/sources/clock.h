/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling: a timer on the CPU clock of every thread. */
#ifndef COLLECTOR_SOURCES_CLOCK_H
#define COLLECTOR_SOURCES_CLOCK_H

#include <signal.h>
#include <ucontext.h>

#include "collector/files/source.h"

extern const struct data_source clock_source;

/* Does the signal come from one of our timers? */
bool clock_is_tick(const siginfo_t *info);

/* Does a tick end a call that sleeps? */
bool clock_interrupts_calls(void);

/* In the handler: the CPU time that has come to the thread, to be recorded with the stack
 * at which it was interrupted; or later. */
uint64_t clock_take(struct thread *thread, const siginfo_t *info,
		    const ucontext_t *context);
void clock_record(struct thread *thread, uint64_t now, uint64_t stack, uint64_t time_ns);
/* In the thread itself: its timer sends this signal from now on. false: it does so
 * already, or there is no timer. See blocked.h. */
bool clock_change_signal(struct thread *thread, int signal);
void clock_defer(struct thread *thread, uint64_t time_ns);

/* Before an exec, in the only thread of a child that no event has met: the time that it
 * has used. The image to come records it, and the child needs no files for it; if the
 * exec fails, it is to be deferred. */
uint64_t clock_pass_on(struct thread *thread);

#endif
