/* SPDX-License-Identifier: Apache-2.0 */
/* Signals of timers and of events: ticks of the clock, and overflows of counters. */
#ifndef COLLECTOR_SOURCES_EVENTS_H
#define COLLECTOR_SOURCES_EVENTS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Returns true if the signal comes from a timer or a counter of the collector's. */
bool events_is_ours(const siginfo_t *info);
/* Call in the handler. Returns true if the signal is one of these; its events are then
 * recorded. */
bool events_take(const siginfo_t *info, ucontext_t *context);
/* Call before an exec, with all signals blocked: discard pending signals of events, which
 * would kill the new image. */
void events_drop_signals(void);

#endif
