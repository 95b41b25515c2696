/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment of a process that is followed: its time outside of the kernel. It is
 * made at the first event, under the name and the number of the process. */
#ifndef COLLECTOR_ER_KERNEL_USER_H
#define COLLECTOR_ER_KERNEL_USER_H

#include <sys/types.h>

#include "collector/er_kernel/processes.h"
#include "collector/outside/outputs.h"

struct user;

/* Returns the experiment of a process, whose program began at this time or before, in the
 * founder's directory; NULL: it could not be made, and the reason is in the founder's
 * warnings. */
struct user *user_open(int founder, const struct process *process, uint64_t start_ns);
void user_close(struct user *user, uint64_t now_ns);
void user_flush(struct user *user, uint64_t now_ns);

/* The process is about to map this; its mappings so far. */
void user_unmap(struct user *user, const struct mappings *mappings, uint64_t address,
		uint64_t size, uint64_t now_ns);
/* It has mapped this. */
void user_map(struct user *user, const struct mapping *mapping, uint64_t now_ns);
/* Returns the number of the stack in the record. is_cut: the copy is not all of it. */
uint64_t user_stack(struct user *user, const struct perf_record *record,
		    const struct mappings *mappings, bool is_cut);
/* Record that the thread of the record spent this time there, up to the time of the
 * record. */
void user_spend(struct user *user, const struct perf_record *record, uint64_t stack,
		uint64_t time_us);
/* Record that the counter has counted its events there. */
void user_count(struct user *user, const struct perf_record *record, uint64_t stack,
		size_t counter);
/* Record that it waited there. */
void user_wait(struct user *user, const struct perf_record *record, uint64_t stack,
	       uint64_t time_us, bool is_preempted);

#endif
