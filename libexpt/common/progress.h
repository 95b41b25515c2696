/* SPDX-License-Identifier: Apache-2.0 */
/* How operations fill struct expt_progress; what it means is in expt.h. */
#ifndef LIBEXPT_COMMON_PROGRESS_H
#define LIBEXPT_COMMON_PROGRESS_H

#include <stdint.h>

#include "libexpt/expt.h"

/* All take NULL. Safe to call from the threads of one operation. */

/* A phase begins; its counters do, too. */
void progress_begin(struct expt_progress *progress, enum expt_phase phase);
/* More to do, in this and later phases. */
void progress_expect(struct expt_progress *progress, uint64_t files, uint64_t bytes);
void progress_add(struct expt_progress *progress, uint64_t files, uint64_t bytes);

#endif
