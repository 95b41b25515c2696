/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that end with EINTR after any handler, SA_RESTART or not. */
#ifndef COLLECTOR_SIGNALS_RESTART_H
#define COLLECTOR_SIGNALS_RESTART_H

#include <stdbool.h>
#include <ucontext.h>

/* After a signal that is ours: let the program make the call again that has ended for us
 * only. is_by_us: our signal came during it; otherwise it may also have ended for
 * another, whose handler has run. What was slept already counts where the kernel says how
 * much it was. A call that is to end for a signal that waits behind ours does end. */
void restart_interrupted_call(ucontext_t *context, bool is_by_us);
/* The kernel makes a call again, as our handler has SA_RESTART, but that of the program
 * that is called now has not: let the call end with EINTR. */
void restart_refuse(ucontext_t *context);

/* Calls whose number cannot be told (unwind/interrupted.h) end with EINTR for our
 * signals. The log says how many did; the child of a fork begins at 0. */
void restart_report(void);
void restart_forget(void);

#endif
