/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger stops at each SIGTRAP of an event, as if it were one of its breakpoints;
 * signals like SIGPROF it lets pass.
 */
#ifndef COLLECTOR_DEBUGGER_H
#define COLLECTOR_DEBUGGER_H

#include <stdbool.h>

/* As it was when somebody asked first. */
bool debugger_is_there(void);
/* In a child of fork. */
void debugger_forget(void);

#endif
