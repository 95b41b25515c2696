/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through the records of each image, one image after the other, so that files of one
 * experiment are open at a time. */
#ifndef COLLECTOR_PERF_REPLAY_H
#define COLLECTOR_PERF_REPLAY_H

#include "collector/perf/experiment.h"
#include "collector/perf/files.h"

/* Write the experiments. Returns a status, after a message. */
int replay(struct experiments *all, struct records *records, struct files *files);

#endif
