/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that run already. */
#ifndef COLLECTOR_COLLECT_RUNNING_H
#define COLLECTOR_COLLECT_RUNNING_H

#include "collector/inject/injection.h"
#include "collector/launch/experiment.h"
#include "collector/launch/installation.h"
#include "collector/launch/settings.h"

/* Check that the process can be recorded with -P. */
int running_check_attach(const struct settings *settings,
			 const struct installation *installation,
			 const struct experiment *experiment);
/* Record the process into the experiment until it ends, or we are interrupted: interrupts
 * are to be held. */
int running_record(const struct settings *settings,
		   const struct installation *installation,
		   const struct experiment *experiment);
/* Wait for the end of the recording. Returns true if it is to be ended: we are
 * interrupted, or its window is over, and nothing is recorded any more. */
bool running_await_end(const struct injection *injection,
		       const struct settings *settings);
/* Check that there is such a process, and that it is ours. Prints errors and returns a
 * status, as do the functions below. */
int running_check(pid_t process);
/* Print the list of variables for the process. */
int running_print(const struct settings *settings,
		  const struct installation *installation,
		  const struct experiment *experiment);

#endif
