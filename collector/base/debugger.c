/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/base/debugger.h"

#include <stdatomic.h>

#include "collector/base/number_in_file.h"

enum { NOT_ASKED, HAS_NONE, HAS_ONE };
static _Atomic int answer;

bool debugger_is_there(void)
{
	if (atomic_load(&answer) == NOT_ASKED)
		atomic_store(&answer,
			     number_in_file("/proc/self/status", "TracerPid") != 0
				     ? HAS_ONE
				     : HAS_NONE);
	return atomic_load(&answer) == HAS_ONE;
}

void debugger_is_leaving(void)
{
	atomic_store(&answer, HAS_NONE);
}

void debugger_forget(void)
{
	atomic_store(&answer, NOT_ASKED);
}
