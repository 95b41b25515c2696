/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording, and the README, as text. */
#ifndef COLLECTOR_COLLECT_SHOW_H
#define COLLECTOR_COLLECT_SHOW_H

#include "collector/launch/experiment.h"
#include "collector/launch/settings.h"
#include "collector/target/target.h"

/* Show them: with -n they are the output, with -v a message. Returns a status. */
int settings_show(const struct settings *settings, const struct experiment *experiment,
		  const struct target *target);
/* Print the text that is installed with collect. Without it that is not an error. */
int readme_show(void);

#endif
