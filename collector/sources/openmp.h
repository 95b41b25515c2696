/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP: the regions and tasks that events belong to, and how many there were. */
#ifndef COLLECTOR_SOURCES_OPENMP_H
#define COLLECTOR_SOURCES_OPENMP_H

#include <stdint.h>

#include "collector/files/source.h"

struct thread;

extern const struct data_source openmp_source;

/* Call in the handler, for an event that is being recorded. */
void openmp_record(struct thread *thread, uint64_t now);

#endif
