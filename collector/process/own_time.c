/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/process/own_time.h"

#include <stddef.h>

#include "collector/base/system.h"

static void (*counter)(uint64_t time_ns);
static __thread uint64_t begun_ns; /* on the thread's CPU clock; 0: not begun */

void own_time_open(void (*count)(uint64_t time_ns))
{
	counter = count;
}

bool own_time_begin(void)
{
	if (!counter || begun_ns != 0)
		return false;
	begun_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return true;
}

void own_time_end(void)
{
	uint64_t now;

	if (begun_ns == 0)
		return;
	now = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (now > begun_ns)
		counter(now - begun_ns);
	begun_ns = 0;
}

void own_time_settle(void)
{
	if (begun_ns == 0)
		return;
	own_time_end();
	own_time_begin();
}

void own_time_forget(void)
{
	begun_ns = 0;
}
