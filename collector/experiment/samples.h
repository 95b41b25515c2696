/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: what the process has used so far, in overview and as an event of the log. */
#ifndef COLLECTOR_EXPERIMENT_SAMPLES_H
#define COLLECTOR_EXPERIMENT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/format.h"

/* The base line; of a child that began unseen it is what it had used when it began,
 * nothing. This sample and a few more wait in memory until the experiment is
 * materialised. */
void sample_first(const char *label);
void sample_take(const char *label, uint64_t now);
/* The same, but nothing if another thread is just writing one. */
void sample_take_unless_busy(const char *label, uint64_t now);
/* A periodic one, if it is due: called with every event. */
void sample_if_due(uint64_t now);
bool sample_is_due(uint64_t now);
/* In a child of fork. */
void sample_forget(void);

#endif
