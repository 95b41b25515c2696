/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own signals that it blocks, although the kernel does not block them. They
 * wait in signals/waiting.h or, if the program handles or reads them, in the kernel.
 */
#ifndef COLLECTOR_SOURCES_BLOCKED_H
#define COLLECTOR_SOURCES_BLOCKED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Call in the handler. Returns true if the program blocks this signal of its own, which
 * then waits. */
bool blocked_must_wait(int signal, const siginfo_t *info, ucontext_t *context);

/* Call when the program handles, reads or waits for these signals, but not in the
 * handler. If SIGPROF is among them, the clock uses SIGNAL_QUIET from now on: the kernel
 * would drop a SIGPROF that the program sends to a thread while one of the clock's is
 * pending there. When one arrives in a thread that blocks it, the kernel then blocks it
 * too, and it waits there, where signalfd() and other threads find it. */
void blocked_leave_to_kernel(uint64_t signals);
/* Call in the handler for a SIGPROF of the program's: move the thread's clock, if it has
 * not been moved yet. */
void blocked_move_clock(ucontext_t *context);

#endif
