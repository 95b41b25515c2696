/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linux 6.12 and later have a slice for each thread, which may be set; earlier ones
 * ignore it. 0 sets the default, but is not what is read then: a thread with the same
 * slice as this one, which has set none, has the default.
 */
#include "collector/inject/slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHORTEST_NS 100000 /* that the kernel takes */
#define UNKNOWN	    UINT64_MAX

static bool get(struct sched_attr *attr, pid_t thread)
{
	*attr = (struct sched_attr){};
	return syscall(SYS_sched_getattr, thread, attr, sizeof(*attr), 0) == 0 &&
	       (attr->sched_policy == SCHED_NORMAL || attr->sched_policy == SCHED_BATCH);
}

uint64_t slice_usual(void)
{
	struct sched_attr attr;

	return get(&attr, 0) ? attr.sched_runtime : UNKNOWN;
}

uint64_t slice_shorten(pid_t thread, uint64_t usual)
{
	struct sched_attr attr;
	uint64_t former;

	if (usual == UNKNOWN || !get(&attr, thread))
		return UNKNOWN;
	former = attr.sched_runtime == usual ? 0 : attr.sched_runtime;
	attr.sched_runtime = SHORTEST_NS;
	return syscall(SYS_sched_setattr, thread, &attr, 0) == 0 ? former : UNKNOWN;
}

void slice_restore(pid_t thread, uint64_t former)
{
	struct sched_attr attr;

	if (former == UNKNOWN || !get(&attr, thread))
		return;
	attr.sched_runtime = former;
	syscall(SYS_sched_setattr, thread, &attr, 0);
}
