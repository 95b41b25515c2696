/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that end with EINTR after any handler, with or without SA_RESTART. */
#ifndef COLLECTOR_SIGNALS_RESTART_H
#define COLLECTOR_SIGNALS_RESTART_H

#include <stdbool.h>
#include <ucontext.h>

/* Call after a signal of the collector's: the program makes the call again if only that
 * signal has ended it. is_by_us: the signal came during the call; otherwise the call may
 * have ended for another signal, whose handler has run. Time already slept is subtracted
 * where the kernel reports it. A call that a pending signal should end does end. */
void restart_interrupted_call(ucontext_t *context, bool is_by_us);
/* Call before a handler of the program: a call that is about to be made again, and that
 * such a handler ends, ends with EINTR. is_restarting: the handler has SA_RESTART, as the
 * collector's own has. */
void restart_refuse(ucontext_t *context, bool is_restarting);

/* Calls whose number is unknown (unwind/interrupted.h) end with EINTR. Their count is
 * logged; it begins at 0 in the child of a fork. */
void restart_report(void);
void restart_forget(void);

#endif
