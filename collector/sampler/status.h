/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc and the kernel's clocks tell of a process. */
#ifndef COLLECTOR_SAMPLER_STATUS_H
#define COLLECTOR_SAMPLER_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"

struct status {
	pid_t parent, group, session;
	uint64_t minor_faults, major_faults;
	uint64_t user_ns, system_ns; /* by the kernel's tick */
};

/* False: it is gone. */
bool status_read(struct status *status, pid_t pid);
/* Its arguments, joined by blanks. False: it has none, or is gone. */
bool status_add_command(struct text *text, pid_t pid);
/* CPU time of all its threads, past ones included; 0: it is gone. */
uint64_t status_cpu_ns(pid_t pid);

/* The user and group with whose rights a process opens files. If it has several, these
 * are not root's; if it is gone, they are those of nobody (65534). */
struct rights {
	uid_t user;
	gid_t group;
};
void status_rights(struct rights *rights, pid_t pid);

/* CLOCK_MONOTONIC_RAW, as all times of an experiment. */
uint64_t status_now(void);

#endif
