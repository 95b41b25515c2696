/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals blocked while a debugger makes calls in a thread that goes back to a sleep
 * afterwards. The kernel forgets how to restart a sleep when a handler returns: nanosleep
 * would fail with EINTR. A debugger cannot set the mask of a thread, so its first call
 * does that.
 */
#ifndef COLLECTOR_SIGNALS_HOLD_H
#define COLLECTOR_SIGNALS_HOLD_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Returns true if the context is at the begin of a hold or at the end of a release, where
 * a signal may come. */
bool hold_is_at(const ucontext_t *context);
/* Call in the handler of such a signal, if it is one of the collector's: the thread goes
 * on as if it had not come. The debugger restores the registers, all but the stack
 * pointer and the pc. */
__attribute__((noreturn)) void hold_go_on(const ucontext_t *context);

#pragma GCC visibility push(default)

/* Calls for a debugger, in one thread at a time. The first blocks all signals but faults
 * and SIGTRAP; the mask before it is in __collector_held_mask then, a set in the kernel's
 * form. The other one sets the mask that is there. */
void __collector_hold(void);
void __collector_release(void);
extern uint64_t __collector_held_mask;

#pragma GCC visibility pop

#endif
