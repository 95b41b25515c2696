/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/process/process.h"

struct process process = { .founder_fd = -1 };
/* The name that attach.h gives it */
extern struct process __collector_process
	__attribute__((alias("process"), visibility("default")));

bool collector_is_recording(void)
{
	return atomic_load(&process.state) == COLLECTOR_ON;
}

bool collector_has_experiment(void)
{
	int state = atomic_load(&process.state);

	return state == COLLECTOR_ON || state == COLLECTOR_STOPPED;
}

bool collector_takes_samples(void)
{
	int state = atomic_load(&process.state);

	return state == COLLECTOR_ON ||
	       (state == COLLECTOR_STOPPED && !atomic_load(&process.is_closed));
}

bool collector_is_founder(void)
{
	return process.lineage[0] == '\0';
}

bool collector_is_suspended(void)
{
	return atomic_load(&process.is_suspended);
}
