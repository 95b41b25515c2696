/* SPDX-License-Identifier: Apache-2.0 */
/* The process that is sampled and all that it makes, each with an image, as the kernel
 * tells of them. */
#ifndef COLLECTOR_SAMPLER_TREE_H
#define COLLECTOR_SAMPLER_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/sampler/perf.h"

/* The first process, which is about to execute path. */
void tree_start(pid_t pid, const char *path, const char *command,
		const struct perf *perf);
/* What the kernel tells, in the order of time. */
void tree_take(const struct perf_record *record);
/* When all that came before now has been taken: look at the clocks, write to disk. True:
 * the next round should come soon. */
bool tree_round(uint64_t now_ns);
/* All processes are gone; total_ns is their CPU time. */
void tree_end(uint64_t now_ns, uint64_t total_ns);

#endif
