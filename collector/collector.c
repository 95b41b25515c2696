/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's life in a process: init from the environment, first record, end. */

#include "collector/attach.h"
#include "collector/base/system.h"
#include "collector/experiment/mapped_code.h"
#include "collector/process/environment.h"
#include "collector/process/process.h"
#include "collector/start.h"
#include "libexpt/format.h"

__attribute__((constructor)) static void init(int argc, char **argv, char **envp)
{
	uint64_t recorded;
	bool is_requested;

	(void)envp;
	process.past_ns = sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	process.pid = sys_getpid();
	mapped_code_init();
	is_requested = environment_read();
	recorded = environment_recorded_ns();
	process.past_ns -= recorded < process.past_ns ? recorded : process.past_ns;
	environment_hide();
	if (!start_prepare(is_requested ? argc : 0, argv))
		return;
	if (is_requested)
		start_recording(collector_is_founder() ? SAMPLE_OPEN
						       : SAMPLE_RESUME_EXEC);
	else
		attach_wait();
}
