/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A statically linked program cannot load the library: a process beside it samples it
 * from outside. A helper starts this sampler and ends before the program runs, so the
 * program finds no additional child, descriptor or signal. Safe in a child of vfork:
 * nothing here keeps state.
 */
#ifndef COLLECTOR_HELPERS_SAMPLING_H
#define COLLECTOR_HELPERS_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Are clock samples of descendants wanted, and may a sampler be started now? */
bool sampling_is_wanted(void);

/* Sample the calling process from the thread's next exec on, under that lineage. Returns
 * the sampler's process, or a negative errno. */
pid_t sampling_start(const char *lineage, const char *path, const char *command);
/* Call if the exec failed. */
void sampling_cancel(pid_t sampler);

/* The same for posix_spawn: the launcher to spawn, which then executes path. */
struct launch {
	const char *path;
	char *const *argv, *const *envp;
};
/* NULL: it could not be made. */
struct launch *sampling_prepare(const char *lineage, const char *path,
				const char *command, char *const argv[],
				char *const envp[]);
/* rc is the result of posix_spawn(), and pid the process if that is 0. Returns the error
 * of the launcher's exec, or 0; *error: why the program is not sampled, or 0. */
int sampling_finish(struct launch *launch, int rc, pid_t pid, int *error);

#endif
