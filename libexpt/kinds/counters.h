/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters. */
#ifndef LIBEXPT_KINDS_COUNTERS_H
#define LIBEXPT_KINDS_COUNTERS_H

#include "libexpt/events/kind.h"

extern const struct data_kind counters_kind; /* its metrics are declared */

/* Check whether a record's metric has data objects: its own counter was recorded with
 * addresses, or the same one of another experiment. */
bool counters_has_data(const struct kind_use *use, const struct expt *expt,
		       const struct expt_record *record);

#endif
