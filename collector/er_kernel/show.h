/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording as text. */
#ifndef COLLECTOR_ER_KERNEL_SHOW_H
#define COLLECTOR_ER_KERNEL_SHOW_H

#include "collector/launch/experiment.h"
#include "collector/launch/settings.h"

/* To the standard output if nothing will be recorded, otherwise to stderr. Returns a
 * status. */
int settings_show(const struct settings *settings, const struct experiment *experiment);

#endif
