/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts of collect, INT, TERM, HUP and QUIT: they wait until they are taken. Those
 * that collect was started with ignored do not count.
 */
#ifndef COLLECTOR_INJECT_INTERRUPTS_H
#define COLLECTOR_INJECT_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Let them wait from now on, and the changes of children, too. */
void interrupts_hold(void);
/* Let all signals wait but those of faults, also those that stop or kill: a thread that
 * is traced would be left in the middle of a call. The mask is to be set again. */
void interrupts_hold_all(sigset_t *before);
/* Take one: its number, or 0 if there was none for 100 ms, or a child has changed. */
int interrupts_take(void);
/* Returns true if one is waiting. */
bool interrupts_are_there(void);
/* Send those that are waiting to the process; they wait here as well. */
void interrupts_pass_on(pid_t process);

#endif
