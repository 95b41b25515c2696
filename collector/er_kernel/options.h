/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of er_kernel. */
#ifndef COLLECTOR_ER_KERNEL_OPTIONS_H
#define COLLECTOR_ER_KERNEL_OPTIONS_H

#include "collector/launch/settings.h"

/* Returns CLI_OK with the settings filled, or prints a message and returns the exit
 * status. Texts are borrowed from argv. */
int options_parse(struct settings *settings, char *argv[], const char *usage);

#endif
