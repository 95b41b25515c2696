/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that end with EINTR after any handler, SA_RESTART or not. */
#ifndef COLLECTOR_RESTART_H
#define COLLECTOR_RESTART_H

#include <ucontext.h>

/* If the tick we handle has interrupted such a call, let the program make it again. */
void restart_interrupted_call(ucontext_t *context);

#endif
