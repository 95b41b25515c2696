/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resources that a process has used since it began, as they are seen from outside.
 * The figures of the kernel are those of the last look, and remain when the process is
 * gone.
 */
#ifndef COLLECTOR_SAMPLER_USAGE_H
#define COLLECTOR_SAMPLER_USAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/outside/status.h"

struct usage {
	struct status status;
	unsigned thread_count;
	uint64_t lived_ns, counted_ns; /* by all threads, up to that time */
	/* Waiting for a processor: by threads that ended, and by those last seen */
	uint64_t ended_wait_ns;
	struct usage_thread {
		pid_t tid;
		unsigned look;
		uint64_t wait_ns;
	} * threads;
	size_t count, room, found;
	unsigned looks;
};

void usage_release(struct usage *usage);
/* From now on there are so many threads. */
void usage_set_threads(struct usage *usage, unsigned count, uint64_t now_ns);
/* Returns how long all threads together have lived. */
uint64_t usage_real_ns(const struct usage *usage, uint64_t now_ns);
/* Look at the process. Of many threads only some are asked how long they waited. */
void usage_look(struct usage *usage, pid_t pid);
/* Returns how long all threads together have waited for a processor. */
uint64_t usage_wait_cpu_ns(const struct usage *usage);

#endif
