/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing: waits for other threads. */
#ifndef COLLECTOR_SOURCES_SYNC_H
#define COLLECTOR_SOURCES_SYNC_H

#include <stdint.h>

#include "collector/files/source.h"

extern const struct data_source sync_source;

/* For the wrappers, which are in a library of their own: keep in this variable of theirs
 * from how many nanoseconds on waits are recorded; UINT64_MAX: none in this process. */
__attribute__((visibility("default"))) void sync_tell_threshold(uint64_t *variable);
/* Returns the same for waits of other kinds. */
uint64_t sync_threshold_now(void);

#endif
