/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own signals that it blocks, although the collector keeps them open. They
 * wait here or, if the program handles or reads them, in the kernel.
 */
#ifndef COLLECTOR_SOURCES_BLOCKED_H
#define COLLECTOR_SOURCES_BLOCKED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* In the handler: true if the program blocks this signal of its own, which then waits. */
bool blocked_must_wait(int signal, const siginfo_t *info, ucontext_t *context);

/* The program handles, reads or waits for these. If SIGPROF is among them, the clock uses
 * SIGNAL_QUIET from now on: the kernel would drop a SIGPROF that the program sends to a
 * thread while one of ours is pending there. A thread that blocks it does so really when
 * one has come, so that it waits in the kernel, where signalfd() and other threads find
 * it. Not in the handler. */
void blocked_leave_to_kernel(uint64_t signals);
/* In the handler of a SIGPROF of the program's: move the thread's clock, if that has not
 * been done. */
void blocked_move_clock(ucontext_t *context);

#endif
