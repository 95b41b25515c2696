/* SPDX-License-Identifier: Apache-2.0 */
/* Records that perf record -z compressed, decompressed into a file without a name. */
#ifndef COLLECTOR_PERF_SPOOL_H
#define COLLECTOR_PERF_SPOOL_H

#include "collector/perf/recording.h"

struct spool;

/* Make a spool in the directory. NULL after a message. */
struct spool *spool_open(struct recording *recording, int directory);
void spool_close(struct spool *spool);
/* Append what the bytes of a record at this offset are, compressed. */
int spool_add(struct spool *spool, const void *bytes, size_t size, uint64_t offset);

#endif
