/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's account of a process in /proc/PID/status. */
#ifndef COLLECTOR_TRACEE_STATUS_H
#define COLLECTOR_TRACEE_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_status {
	pid_t group;	       /* its ID as a process; another one for a thread */
	pid_t own;	       /* the ID that it has for itself, in its namespace */
	pid_t parent;	       /* 0: none that is seen here */
	pid_t tracer;	       /* the process that debugs it, or 0 */
	unsigned long threads; /* how many */
	char state;	       /* 'Z': it has ended; 'T', 't': it is stopped */
	bool has_memory;       /* no thread of the kernel, and not about to end */
	bool has_filter;       /* seccomp(2): calls may be forbidden */
	uint64_t pending;      /* signals for the thread or its process, as bits */
	uint64_t caught;       /* signals that have a handler */
	uint64_t ignored;      /* signals that are ignored */
	uint64_t pauses;       /* how often it has slept, or stopped */
	uid_t user;	       /* with whose rights it opens files */
	gid_t user_group;
};

/* Returns 0, or a negative errno: -ESRCH if there is no such process. */
int process_status_read(struct process_status *status, pid_t process);
/* Returns a thread of the process that has not ended: the main thread, unless that has.
 * /proc shows nothing of one that has, neither memory nor maps. */
pid_t process_live_thread(pid_t process);

#endif
