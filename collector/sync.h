/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing: waits for other threads. */
#ifndef COLLECTOR_SYNC_H
#define COLLECTOR_SYNC_H

#include <collector/source.h>

extern const struct data_source sync_source;

#endif
