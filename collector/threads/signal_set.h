/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_THREADS_SIGNAL_SET_H
#define COLLECTOR_THREADS_SIGNAL_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns a set of signals of any thread of the process, as the kernel knows it, by its
 * name in /proc/PID/status: "SigBlk" for those that are blocked, "SigPnd" for those that
 * were sent to the thread and wait; none if that cannot be read. */
uint64_t signal_set_of(pid_t tid, const char *name);

/* Signals on their way to a thread. A tracer takes them one by one from those that are
 * pending. It may hold one back while the thread is stopped, and nothing shows a signal
 * that was passed on to a thread which has not run since. */
struct signals_sent {
	uint64_t pending; /* a set */
	bool is_traced;
	char state; /* the kernel's letter, t for stopped by a tracer; 0: there is no
		       thread */
};

struct signals_sent signal_set_sent(pid_t tid);

#endif
