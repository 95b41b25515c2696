/* SPDX-License-Identifier: Apache-2.0 */
/* Processes by number, as the kernel's records tell of them; they outlive the processes
 * themselves. */
#ifndef COLLECTOR_ER_KERNEL_PROCESSES_H
#define COLLECTOR_ER_KERNEL_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/outside/mappings.h"
#include "collector/outside/numbered.h"

#define PROCESS_NAME_MAX 16 /* with the terminating zero, as in the kernel */

struct user;

/* Items of a table of processes. */
struct process {
	pid_t pid, parent;
	char name[PROCESS_NAME_MAX];
	uint64_t root; /* the frame that its stacks in the kernel begin with; 0: none */
	uint64_t start_ns;	      /* of its program; 0: before the recording */
	unsigned threads;	      /* 0: it has ended */
	bool is_followed, has_failed; /* failed: to have an experiment */
	bool has_waits;		      /* its threads tell when they wait */
	struct user *user;	      /* its experiment, or NULL */
	struct mappings mappings;     /* if any process may be followed */
};

/* Take those that there are. Call after the kernel has begun to report others. */
void processes_open(struct numbered *processes);
void processes_close(struct numbered *processes);
/* Returns the process of that number, perhaps unknown so far; NULL: out of memory. */
struct process *processes_find(struct numbered *processes, pid_t pid);
/* Set the name, in which some characters are replaced. */
void process_set_name(struct process *process, const char *name);
/* Set the threads of other processes of this user, to be freed. Returns their number. */
size_t processes_own_threads(pid_t **threads);
/* A process has begun, as a copy of another one; one that had its number is forgotten.
 * Returns it, or NULL. */
struct process *processes_fork(struct numbered *processes, pid_t pid, pid_t parent);

#endif
