/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters. */
#ifndef LIBEXPT_ANALYSIS_COUNTERS_H
#define LIBEXPT_ANALYSIS_COUNTERS_H

#include "libexpt/analysis/kinds.h"

extern const struct data_kind counters_kind; /* its metrics are declared */

#endif
