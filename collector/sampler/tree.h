/* SPDX-License-Identifier: Apache-2.0 */
/* The sampled process and its descendants, each with an image, kept up to date from the
 * kernel's records. */
#ifndef COLLECTOR_SAMPLER_TREE_H
#define COLLECTOR_SAMPLER_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/outside/record.h"

/* Start with the first process, which is about to execute path. sees_no_kernel: its
 * time in the kernel gives no samples. */
void tree_start(pid_t pid, const char *path, const char *command, bool sees_no_kernel);
/* Process a record of the kernel. Records must come in the order of time. */
void tree_take(const struct perf_record *record);
/* Call after all records older than now: reads the clocks, writes to disk. True: the next
 * round should come soon. */
bool tree_round(uint64_t now_ns);
/* End all processes; total_ns is their CPU time. */
void tree_end(uint64_t now_ns, uint64_t total_ns);

#endif
