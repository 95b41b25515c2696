/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts of collect, INT, TERM and HUP: they wait until they are taken. Those that
 * collect was started with ignored do not count.
 */
#ifndef COLLECTOR_INJECT_INTERRUPTS_H
#define COLLECTOR_INJECT_INTERRUPTS_H

#include <stdbool.h>

/* Let them wait from now on, and the changes of children, too. */
void interrupts_hold(void);
/* Take one: its number, or 0 if there was none for 100 ms, or a child has changed. */
int interrupts_take(void);
/* Returns true if one is waiting. */
bool interrupts_are_there(void);

#endif
