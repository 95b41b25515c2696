/* SPDX-License-Identifier: Apache-2.0 */
/* Processes by number, as the kernel's records tell of them; they outlive the processes
 * themselves. */
#ifndef COLLECTOR_ER_KERNEL_PROCESSES_H
#define COLLECTOR_ER_KERNEL_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESS_NAME_MAX 16 /* with the terminating zero, as in the kernel */

struct process {
	pid_t pid;
	char name[PROCESS_NAME_MAX];
	uint64_t root; /* the frame that its stacks in the kernel begin with; 0: none */
};

struct processes {
	struct process *slots; /* open addressing; pid -1 is free */
	size_t size, used;
};

/* Take those that there are. Call after the kernel has begun to report others. */
void processes_open(struct processes *processes);
void processes_close(struct processes *processes);
/* Returns the process of that number, perhaps unknown so far; NULL: out of memory. */
struct process *processes_find(struct processes *processes, pid_t pid);
/* A process has begun, as a copy of another one. */
void processes_fork(struct processes *processes, pid_t pid, pid_t parent);
/* It has another name now. */
void processes_rename(struct processes *processes, pid_t pid, const char *name);

#endif
