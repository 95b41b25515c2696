/* SPDX-License-Identifier: Apache-2.0 */
/* The command that was recorded, and how. */
#ifndef COLLECTOR_PERF_COMMAND_H
#define COLLECTOR_PERF_COMMAND_H

#include "collector/perf/features.h"
#include "collector/perf/images.h"

/* Both return a text to be freed, or NULL: out of memory. */
/* The command of the founder: what perf was given to run, or else the name that the
 * kernel had for it; without a founder, the command perf itself. */
char *command_of(const struct features *features, const struct image *founder);
/* Where the experiment comes from: the file, perf's version and its command. */
char *command_source(const struct features *features, const char *path);

#endif
