/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of the program, which has the settings for the collector. */
#ifndef COLLECTOR_COLLECT_ENVIRONMENT_H
#define COLLECTOR_COLLECT_ENVIRONMENT_H

#include <stdint.h>
#include <sys/types.h>

#include "collector/collect/experiment.h"
#include "collector/collect/options.h"
#include "collector/collect/target.h"

struct installation {
	char *plugins; /* directory of libcollector.so and its companions, absolute */
	char *archiver, *remover; /* er_archive and er_rm, absolute */
	char *readme;
};

/* Find the files that belong to this collect, in the build tree or as installed. */
int installation_find(struct installation *installation);
void installation_release(struct installation *installation);

/* Returns the number of frames kept of a stack, which the environment may set. */
uint64_t environment_stack_depth(void);
/* Returns the parameter string of format.h, to be freed; NULL: out of memory. */
char *environment_parameters(const struct settings *settings,
			     const struct installation *installation,
			     const struct experiment *experiment);
/* Put everything that the collector needs into the environment of this process, for the
 * process with this pid. */
int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, const struct target *target,
		    pid_t founder);

#endif
