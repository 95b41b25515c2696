/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling. */
#ifndef LIBEXPT_KINDS_CLOCK_H
#define LIBEXPT_KINDS_CLOCK_H

#include "libexpt/events/kind.h"

extern const struct data_kind clock_kind; /* begins with these metrics: */
enum { CLOCK_TOTAL, CLOCK_TOTAL_CPU };

#endif
