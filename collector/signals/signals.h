/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals shared with the program: SIGPROF for the clock, SIGTRAP and SIGWINCH for the
 * kernel's events, SIGSEGV and SIGBUS for reads of the unwinder that may fail, and the
 * signals of -l and -y if other processes send them. The kernel knows the collector's
 * handler. The program sees its own dispositions and masks, and its own signals are
 * delivered as it asked.
 */
#ifndef COLLECTOR_SIGNALS_SIGNALS_H
#define COLLECTOR_SIGNALS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/base/system.h"

struct sigaction;

/* The signal of the kernel's events. It is the only one that the kernel sends for them
 * without interrupting a system call: it is sent when the call has ended. Programs get it
 * from debuggers and int3. */
#define SIGNAL_OF_OVERFLOWS SIGTRAP
/* The signal of the files of events, and of the clock in a program that uses SIGPROF
 * itself. It is ignored by default: if it is pending when the program enters exec by an
 * instruction of its own, it does not kill the new image. The other ignored signals are
 * worse: SIGCHLD ends waits for children, and Go sends SIGURG to single threads, where
 * the kernel drops a signal while another of that number is pending. */
#define SIGNAL_QUIET SIGWINCH

#define SIGNALS_FAULTS (SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS))
#define SIGNALS_EVENTS \
	(SIGNAL_BIT(SIGPROF) | SIGNAL_BIT(SIGNAL_OF_OVERFLOWS) | SIGNAL_BIT(SIGNAL_QUIET))
/* SIGBUS may result from a store into a file of the experiment. */
#define SIGNALS_HIDDEN (SIGNALS_EVENTS | SIGNAL_BIT(SIGBUS))

/* Returns true if the signal is shared now. */
bool signals_is_shared(int signal);
/* Do what sigaction() does, in the program's view of a shared signal. */
void signals_change(int signal, const struct sigaction *action, struct sigaction *old);
/* Returns those signals of the clock and of events, and SIGBUS, that are shared. The
 * kernel never blocks them in the program's threads: a thread is recorded whatever it
 * blocks, and survives when a file of the experiment cannot be written. The program's own
 * signals wait in waiting.h. Sets of signals are words in the kernel's format. */
uint64_t signals_hidden(void);

/* Call around a start in a thread that goes back to a system call: no signal of an event
 * is delivered meanwhile, because the kernel forgets how to restart the call when a
 * handler returns. The first returns the mask of the calling thread; the second sets a
 * mask, and adds to what the thread believes to block. */
uint64_t signals_hold(void);
void signals_release(uint64_t mask, uint64_t blocked);

/* Call at the start of a recording. The handler is that of all shared signals; it is
 * installed for faults now, ... */
void signals_open(void (*handler)(int signal, siginfo_t *info, void *context));
/* ... for the signals of the clock ... */
bool signals_take(void);
/* ... and for a signal that other processes may send; see control.h. */
bool signals_share(int signal);
/* Call in the handler: unblock faults, so that those of the unwinder reach the handler.
 */
void signals_allow_faults(const ucontext_t *context);
/* Install the handler for the signals of events, if the kernel has events. */
bool signals_take_overflows(void);
bool signals_take_quiet(void);
/* Call in the handler: act on a signal of the program's as the program asked. */
void signals_call_program(int signal, siginfo_t *info, ucontext_t *context);
/* Returns true if the thread's own instruction caused the signal, which then cannot be
 * ignored or blocked. */
bool signals_is_forced(int signal, const siginfo_t *info);
/* Signals that wait in the kernel while a thread blocks them; see sources/blocked.h. */
extern _Atomic uint64_t signals_left_to_kernel;
/* Call around an exec: the new image inherits the program's view. */
void signals_give_back(uint64_t mask);
void signals_take_again(void);
/* Share none any more but those that are kept: the kernel knows the program's
 * dispositions. Call when no timer or event is left. Signals of these that may still be
 * pending are forgotten, among them the program's own. The handler of one that is kept
 * drops what an event sends, and calls the program's handler for others. */
void signals_return(uint64_t pending, uint64_t kept);

#endif
