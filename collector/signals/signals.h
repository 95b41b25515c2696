/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that we share with the program: SIGPROF for the clock, SIGTRAP and SIGWINCH for
 * the kernel's events, SIGSEGV and SIGBUS for reads of the unwinder that may fail, those
 * of -l and -y when others send them. Our handler is the one the kernel knows; the
 * program sees its own dispositions and masks, and gets every signal that is not ours as
 * it asked for.
 */
#ifndef COLLECTOR_SIGNALS_SIGNALS_H
#define COLLECTOR_SIGNALS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/base/system.h"

struct sigaction;

/* Of the kernel's events: the only one that the kernel sends for them without
 * interrupting itself for it, when a call has ended by itself. Programs have it from
 * debuggers and int3. */
#define SIGNAL_OF_OVERFLOWS SIGTRAP
/* Sent by the files of events, and by the clock of a program that uses SIGPROF itself. It
 * is ignored by default, so that one that is pending when the program enters exec by an
 * instruction of its own does not kill the new image. The other signals that are ignored
 * are worse: SIGCHLD ends waits for children, and SIGURG is sent to single threads (by
 * Go), where the kernel drops one while another is pending. */
#define SIGNAL_QUIET SIGWINCH

#define SIGNALS_FAULTS (SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS))
#define SIGNALS_EVENTS \
	(SIGNAL_BIT(SIGPROF) | SIGNAL_BIT(SIGNAL_OF_OVERFLOWS) | SIGNAL_BIT(SIGNAL_QUIET))
/* A store into a file of the experiment may end in SIGBUS. */
#define SIGNALS_HIDDEN (SIGNALS_EVENTS | SIGNAL_BIT(SIGBUS))

/* Is the signal one that we share, now? */
bool signals_is_shared(int signal);
/* What sigaction() does, on the program's view of a shared signal. */
void signals_change(int signal, const struct sigaction *action, struct sigaction *old);
/* Those of the clock and of events, and SIGBUS, as far as they are shared: no thread of
 * the program ever blocks them really, so that it is recorded whatever it blocks, and
 * survives that a file of ours cannot be written. The program's own wait; see waiting.h.
 * Sets of signals are words of the kernel's. */
uint64_t signals_hidden(void);

/* Once: the handler of all shared signals, which is installed for faults now, ... */
void signals_open(void (*handler)(int signal, siginfo_t *info, void *context));
/* ... for the signals of the clock ... */
bool signals_take(void);
/* ... and for one that others may send us; see control.h. */
bool signals_share(int signal);
/* In the handler: let a fault in the unwinder reach our handler. */
void signals_allow_faults(const ucontext_t *context);
/* The same for those of events, if there are any. */
bool signals_take_overflows(void);
bool signals_take_quiet(void);
/* In the handler: do with a signal of the program's what it asked for. */
void signals_call_program(int signal, siginfo_t *info, ucontext_t *context);
/* By the thread's own instruction: the kernel lets nobody ignore or block it. */
bool signals_is_forced(int signal, const siginfo_t *info);
/* Those that wait in the kernel while a thread blocks them; see sources/blocked.h. */
extern _Atomic uint64_t signals_left_to_kernel;
/* Around an exec: what the new image inherits is the program's view. */
void signals_give_back(uint64_t mask);
void signals_take_again(void);

#endif
