/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling. */
#ifndef ER_PRINT_CLOCK_H
#define ER_PRINT_CLOCK_H

#include "er_print/metrics.h"

extern const struct data_kind clock_kind; /* begins with these metrics: */
enum { CLOCK_TOTAL, CLOCK_TOTAL_CPU };

#endif
