/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of collect. */
#ifndef COLLECTOR_COLLECT_OPTIONS_H
#define COLLECTOR_COLLECT_OPTIONS_H

#include "collector/launch/settings.h"

/* Returns CLI_OK with the settings filled, or prints a message and returns the exit
 * status. Texts are borrowed from argv, but not the counters: options_release() them. */
int options_parse(struct settings *settings, char *argv[], const char *usage);
void options_release(struct settings *settings);

#endif
