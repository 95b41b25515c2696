/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger stops at each SIGTRAP of an event as at one of its breakpoints, but passes
 * signals like SIGPROF on.
 */
#ifndef COLLECTOR_BASE_DEBUGGER_H
#define COLLECTOR_BASE_DEBUGGER_H

#include <stdbool.h>

/* Returns the state at the first call: the answer is cached. */
bool debugger_is_there(void);
/* Call in the child of a fork. */
void debugger_forget(void);

#endif
