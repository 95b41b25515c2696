/* SPDX-License-Identifier: Apache-2.0 */
/* Variables with the settings for the collector. */
#ifndef COLLECTOR_COLLECT_ENVIRONMENT_H
#define COLLECTOR_COLLECT_ENVIRONMENT_H

#include <stdint.h>
#include <sys/types.h>

#include "collector/launch/experiment.h"
#include "collector/launch/installation.h"
#include "collector/launch/settings.h"
#include "collector/target/target.h"
#include "libexpt/base/strbuf.h"

/* Returns the number of frames kept of a stack, which the environment may set. */
uint64_t environment_stack_depth(void);
/* Returns the parameter string of format.h, to be freed; NULL: out of memory. */
char *environment_parameters(const struct settings *settings,
			     const struct installation *installation,
			     const struct experiment *experiment);
/* List what the collector must know, for the process with this pid: NAME=VALUE, each
 * ended by a zero byte, and an empty string after the last. Returns a status. */
int environment_list(struct strbuf *list, const struct settings *settings,
		     const struct installation *installation,
		     const struct experiment *experiment, pid_t founder);
/* Put everything that the collector needs into the environment of this process, for the
 * process with this pid. */
int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, const struct target *target,
		    pid_t founder);

#endif
