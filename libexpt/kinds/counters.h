/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters. */
#ifndef LIBEXPT_KINDS_COUNTERS_H
#define LIBEXPT_KINDS_COUNTERS_H

#include "libexpt/events/kind.h"

extern const struct data_kind counters_kind; /* its metrics are declared */

#endif
