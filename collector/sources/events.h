/* SPDX-License-Identifier: Apache-2.0 */
/* What the signals of timers and of events bring: ticks of the clock, and overflows of
 * counters. */
#ifndef COLLECTOR_SOURCES_EVENTS_H
#define COLLECTOR_SOURCES_EVENTS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Does the signal come from a timer or a counter of ours? */
bool events_is_ours(const siginfo_t *info);
/* In the handler: true if it does; what has happened is then recorded. */
bool events_take(const siginfo_t *info, ucontext_t *context);
/* Before an exec, with all signals blocked: signals of events that are pending would kill
 * the new image. */
void events_drop_signals(void);

#endif
