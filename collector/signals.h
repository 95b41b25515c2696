/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that we share with the program: SIGPROF for the clock, SIGSEGV and SIGBUS for reads of
 * the unwinder that may fail, those of -l and -y when others send them. Our handler is the one the kernel knows; the program sees its own
 * dispositions and masks, and gets every signal that is not ours as it asked for.
 */
#ifndef COLLECTOR_SIGNALS_H
#define COLLECTOR_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct sigaction;

/* Of the kernel's events. No kernel sends it, and no program is known to use it: while one such waits,
 * the kernel would drop a SIGPROF that the program sends. */
#define SIGNAL_OF_OVERFLOWS SIGSTKFLT

/* Is the signal one that we share, now? */
bool signals_is_shared(int signal);
/* What sigaction() does, on the program's view of a shared signal. */
void signals_change(int signal, const struct sigaction *action, struct sigaction *old);
/* The program lets the calling thread have SIGPROF again: what has waited comes. */
void signals_release(void);
/* A SIGPROF of the program's that waits because it is blocked; takes it. */
bool signals_take_waiting(siginfo_t *info);
bool signals_is_waiting(void);

/* Install our handler before the program's dispositions, of the clock's signals ... */
bool signals_take(void);
/* ... and of one that others may send us; see control.h. */
bool signals_share(int signal);
/* In the handler: let a fault in the unwinder reach our handler. */
void signals_allow_faults(const ucontext_t *context);
/* The same for those of events, if there are any. */
bool signals_take_overflows(void);
/* Those of events that wait would kill the image that an exec makes. All signals are blocked. */
void signals_drop_overflows(void);
/* Around an exec: what the new image inherits is the program's view. */
void signals_give_back(uint64_t mask);
void signals_take_again(void);

#endif
