/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that end with EINTR after any handler, SA_RESTART or not. */
#ifndef COLLECTOR_RESTART_H
#define COLLECTOR_RESTART_H

#include <ucontext.h>

/* If a signal that is ours has interrupted such a call, let the program make it again. What was slept
 * already counts where the kernel says how much it was. */
void restart_interrupted_call(ucontext_t *context);
/* The kernel makes a call again, as our handler has SA_RESTART, but that of the program that is called now
 * has not: let the call end with EINTR. */
void restart_refuse(ucontext_t *context);

#endif
