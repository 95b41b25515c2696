/* SPDX-License-Identifier: Apache-2.0 */
/* The files of this process's experiment. */
#ifndef COLLECTOR_FILES_FILES_H
#define COLLECTOR_FILES_FILES_H

#include "collector/files/output.h"

/* The kinds of data; each has a file in the experiment. */
enum data_kind {
	DATA_CLOCK,
	DATA_COUNTERS,
	DATA_HEAP,
	DATA_SYNC,
	DATA_IO,
	DATA_MPI,
	DATA_OPENMP,
	DATA_DEADLOCK,
	DATA_RACE,
	DATA_COUNT
};

struct files {
	struct output log, map, overview, frames, dyntext, classes, data[DATA_COUNT];
};

extern struct files files;

#endif
