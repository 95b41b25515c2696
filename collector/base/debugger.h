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
/* The one that is there does not stay. */
void debugger_is_leaving(void);
/* Call in the child of a fork, and at the start of another recording. */
void debugger_forget(void);

#endif
