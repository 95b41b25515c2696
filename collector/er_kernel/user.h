/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment of a process that is followed: its time outside of the kernel. It is
 * made at the first event, under the name and the number of the process. */
#ifndef COLLECTOR_ER_KERNEL_USER_H
#define COLLECTOR_ER_KERNEL_USER_H

#include <sys/types.h>

#include "collector/outside/mappings.h"
#include "collector/outside/outputs.h"

struct user;

/* Returns the experiment of a process that began at this time, in the founder's
 * directory; NULL: it could not be made, and the reason is in the founder's warnings. */
struct user *user_open(int founder, pid_t pid, pid_t parent, const char *name,
		       uint64_t start_ns, const struct mappings *mappings);
void user_close(struct user *user, uint64_t now_ns);
void user_flush(struct user *user, uint64_t now_ns);

/* The process is about to map this; its mappings so far. */
void user_unmap(struct user *user, const struct mappings *mappings, uint64_t address,
		uint64_t size, uint64_t now_ns);
/* It has mapped this. */
void user_map(struct user *user, const struct mapping *mapping, uint64_t now_ns);
/* Record that it spent this time where it was when the record was made. */
void user_spend(struct user *user, const struct perf_record *record,
		const struct mappings *mappings, uint64_t time_us, bool is_cut);

#endif
