/* SPDX-License-Identifier: Apache-2.0 */
/* The processor that the calling thread is on. */
#ifndef COLLECTOR_CPU_H
#define COLLECTOR_CPU_H

#include <sched.h>

#include "collector/base/interpose.h"

/* libc's way, which makes no system call. */
static inline int cpu_current(void)
{
	LIBC(sched_getcpu, "GLIBC_2.6", int, (void));

	return real();
}

#endif
