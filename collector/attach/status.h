/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells of a process in /proc/PID/status. */
#ifndef COLLECTOR_ATTACH_STATUS_H
#define COLLECTOR_ATTACH_STATUS_H

#include <stdbool.h>
#include <sys/types.h>

struct process_status {
	pid_t group; /* its ID as a process; another one for a thread */
	pid_t own;   /* the ID that it has for itself, in its namespace */
};

/* Returns 0, or a negative errno: -ESRCH if there is no such process. */
int process_status_read(struct process_status *status, pid_t process);

#endif
