/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A statically linked program takes no library of ours: a process beside it samples it
 * from outside. A helper starts that and is gone before the program runs, so that
 * nobody's child, descriptor or signal is there which would not be there without us. Safe
 * in a child of vfork: nothing here keeps state.
 */
#ifndef COLLECTOR_HELPERS_SAMPLING_H
#define COLLECTOR_HELPERS_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Is there something to sample for, and may it be tried? */
bool sampling_is_wanted(void);

/* Sample the calling process from the thread's next exec on, by that lineage. The
 * sampler's process, or a negative errno. */
pid_t sampling_start(const char *lineage, const char *path, const char *command);
/* There was no exec. */
void sampling_cancel(pid_t sampler);

/* The same for posix_spawn: a program to be spawned in the place of path, which becomes
 * path. NULL: there is no memory or process for it. */
struct launch {
	const char *path;
	char *const *argv, *const *envp;
};
struct launch *sampling_prepare(const char *lineage, const char *path,
				const char *command, char *const argv[],
				char *const envp[]);
/* What posix_spawn returned; and the process, if that is 0. What came of its exec: an
 * errno, or 0; *error: why it is not sampled, or 0. */
int sampling_finish(struct launch *launch, int rc, pid_t pid, int *error);

#endif
