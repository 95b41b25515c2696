/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_THREADS_SIGNAL_SET_H
#define COLLECTOR_THREADS_SIGNAL_SET_H

#include <stdint.h>
#include <sys/types.h>

/* Returns a set of signals of any thread of the process, as the kernel knows it, by its
 * name in /proc/PID/status: "SigBlk" for those that are blocked, "SigPnd" for those that
 * were sent to the thread and wait; none if that cannot be read. */
uint64_t signal_set_of(pid_t tid, const char *name);

#endif
