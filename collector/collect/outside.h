/* SPDX-License-Identifier: Apache-2.0 */
/* Programs into which nothing can be preloaded: the sampler records them from outside. */
#ifndef COLLECTOR_COLLECT_OUTSIDE_H
#define COLLECTOR_COLLECT_OUTSIDE_H

#include "collector/collect/environment.h"

/* Check whether the clock alone, seen from outside, is worth a run: CLI_OK after a
 * warning, or a status with a message printed. */
int outside_check(const struct settings *settings, const struct target *target);
/* Start the sampler, which waits for this process to execute the program: CLI_OK, or a
 * status with a message printed. */
int outside_start(const struct settings *settings,
		  const struct installation *installation,
		  const struct experiment *experiment, const struct target *target);

#endif
