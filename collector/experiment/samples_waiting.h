/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in memory, until there is a file for them: the first bytes of overview. */
#ifndef COLLECTOR_EXPERIMENT_SAMPLES_WAITING_H
#define COLLECTOR_EXPERIMENT_SAMPLES_WAITING_H

#include <stddef.h>

#include "libexpt/format.h"

#define SAMPLES_WAITING_MAX 8

/* Keep the sample with this number. Number 0 drops the samples that waited before. */
void samples_waiting_put(unsigned number, const struct overview_record *record);
const char *samples_waiting(size_t *length);

#endif
