/* SPDX-License-Identifier: Apache-2.0 */
/* er_archive for a process that goes on, and is not to wait for it. */
#ifndef COLLECTOR_LAUNCH_ARCHIVE_H
#define COLLECTOR_LAUNCH_ARCHIVE_H

#include "collector/launch/experiment.h"
#include "collector/launch/installation.h"
#include "collector/launch/settings.h"

/* Archive the load objects of the experiment as the process would have done; root does so
 * with the rights of the owner of the experiment. Failures are warnings: the recording is
 * whole. */
void archive_for(const struct settings *settings, const struct installation *installation,
		 const struct experiment *experiment);

#endif
