/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of the resources that the process has used, in overview and as events of the
 * log. */
#ifndef COLLECTOR_EXPERIMENT_SAMPLES_H
#define COLLECTOR_EXPERIMENT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/format.h"

/* Take the baseline. A child that began unseen had used nothing when it began. This
 * sample and a few more wait in memory until the experiment is materialised. */
void sample_first(const char *label);
void sample_take(const char *label, uint64_t now);
/* The same for what may be the last sample of this image: it takes longer if there are
 * many threads. */
void sample_take_last(const char *label, uint64_t now);
/* The same as sample_take(), but no sample is taken while another thread writes one. */
void sample_take_unless_busy(const char *label, uint64_t now);
/* Take a periodic sample if it is due: called with every event. */
void sample_if_due(uint64_t now);
bool sample_is_due(uint64_t now);
/* Take no periodic samples until sample_go_on(). */
void sample_hold(void);
void sample_go_on(uint64_t now);
/* Call in a child of fork. */
void sample_forget(void);

/* Returns the number of samples taken. */
unsigned sample_count(void);

#endif
