/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of struct expt_progress, which expt.h explains. */
#ifndef LIBEXPT_COMMON_PROGRESS_H
#define LIBEXPT_COMMON_PROGRESS_H

#include <stdint.h>

#include "libexpt/expt.h"

/* All accept NULL, and are safe to call from the threads of one operation. */

/* Begin a phase and reset its counters. */
void progress_begin(struct expt_progress *progress, enum expt_phase phase);
/* Add to the totals of this and later phases. */
void progress_expect(struct expt_progress *progress, uint64_t files, uint64_t bytes);
void progress_add(struct expt_progress *progress, uint64_t files, uint64_t bytes);

#endif
