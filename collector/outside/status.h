/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a process, from /proc and the kernel's clocks. */
#ifndef COLLECTOR_OUTSIDE_STATUS_H
#define COLLECTOR_OUTSIDE_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"

struct status {
	pid_t parent, group, session;
	uint64_t minor_faults, major_faults;
	uint64_t user_ns, system_ns; /* in steps of the kernel's tick */
};

/* False: the process is gone. */
bool status_read(struct status *status, pid_t pid);
/* How long a thread waited for a processor. False: it is gone, or the kernel does not
 * tell. */
bool status_wait_cpu(uint64_t *wait_ns, pid_t pid, pid_t tid);
/* Append its arguments, joined by blanks. False: it has none, or is gone. */
bool status_add_command(struct text *text, pid_t pid);
/* Returns the CPU time of all threads, including those that ended; 0: it is gone. */
uint64_t status_cpu_ns(pid_t pid);

/* User and group whose rights a process has on files. If it has several, these are not
 * root's; if it is gone, they are those of user nobody (65534). */
struct rights {
	uid_t user;
	gid_t group;
};
void status_rights(struct rights *rights, pid_t pid);

/* What all processors have done since the machine began. */
struct machine_status {
	uint64_t user_ns, system_ns;
	uint64_t switches;
};
bool status_machine(struct machine_status *status);

/* Returns CLOCK_MONOTONIC_RAW, the clock of all times in an experiment. */
uint64_t status_now(void);

#endif
