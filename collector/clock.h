/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling: a timer on the CPU clock of every thread. */
#ifndef COLLECTOR_CLOCK_H
#define COLLECTOR_CLOCK_H

#include <collector/source.h>
#include <signal.h>
#include <ucontext.h>

extern const struct data_source clock_source;

/* Does the signal come from one of our timers? */
bool clock_is_tick(const siginfo_t *info);
/* In the handler of SIGPROF: true if the signal is a tick of ours, which is then recorded. */
bool clock_tick(const siginfo_t *info, ucontext_t *context);

#endif
