/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread of another process, stopped and run by ptrace(2), all by itself: the other
 * threads run on. The caller has blocked SIGCHLD, for which these functions wait. All
 * return 0 or a negative errno.
 */
#ifndef COLLECTOR_TRACEE_THREAD_H
#define COLLECTOR_TRACEE_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MS 1000000ULL /* in nanoseconds */

/* Errors of the functions below that stop a thread or let it run:
 * -ESRCH	it has ended
 * -EBUSY	it is stopped, because its whole process is, by a signal
 * -ETIMEDOUT	it is stopped elsewhere, as the time was over
 * -EAGAIN	it sleeps in the kernel and cannot be stopped now: see thread_let_go() */

/* Seize the thread and stop it. -EPERM: that is not permitted. */
int thread_stop(pid_t thread);
/* Detach from the thread; signal 0: none. */
void thread_detach(pid_t thread, int signal);
/* Detach from threads that could not be stopped in time, if they have stopped now. All
 * functions that wait do that as well. */
void thread_let_go(void);

/* Let the thread run until it is about to execute the instruction at the address, as seen
 * by a debug register, or step by step where these are dead: no code is changed. It gets
 * its signals. -EINVAL: there is no code at such an address. */
int thread_run_to(pid_t thread, uint64_t address, uint64_t limit_ns);
/* Let it run, after this signal is delivered to it, unless that is 0. */
int thread_continue(pid_t thread, int signal);
/* Stop the thread, which runs, and may have to stop in its own time: -EINTR. */
int thread_interrupt(pid_t thread);
/* Wait until a signal would be delivered to it, which is kept from it: *signal.
 * -ETIMEDOUT: it still runs. */
int thread_await_signal(pid_t thread, int *signal, uint64_t limit_ns);

#endif
