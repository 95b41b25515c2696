/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that end with EINTR after any handler, SA_RESTART or not. */
#ifndef COLLECTOR_RESTART_H
#define COLLECTOR_RESTART_H

#include <ucontext.h>

/* If the tick we handle has interrupted such a call, let the program make it again. */
void restart_interrupted_call(ucontext_t *context);
/* The same for a signal of which the program knows nothing, and for every call that it interrupted: the
 * program may have installed a handler without SA_RESTART. What was slept already counts where the
 * kernel says how much it was. */
void restart_every_call(ucontext_t *context);

#endif
