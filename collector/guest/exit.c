/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that end the process without running exit handlers. */

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/descendants/descendants.h"
#include "collector/recording/recording.h"

static __attribute__((noreturn)) void end(int status)
{
	if (descendants_place() == PLACE_OWN)
		collector_end();
	for (;;)
		system_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

INTERPOSE(__attribute__((noreturn)) void, exit_posix_2_2_5, "_exit@@GLIBC_2.2.5",
	  (int status))
{
	end(status);
}

INTERPOSE(__attribute__((noreturn)) void, exit_c_2_2_5, "_Exit@@GLIBC_2.2.5",
	  (int status))
{
	end(status);
}
