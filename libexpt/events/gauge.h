/* SPDX-License-Identifier: Apache-2.0 */
/* How the records of a kind of data are measured for a member of a view. */
#ifndef LIBEXPT_EVENTS_GAUGE_H
#define LIBEXPT_EVENTS_GAUGE_H

#include "libexpt/events/figures.h"

/* Prepare the measuring of a member's records; use: NULL if they have no metrics. */
void gauge_set(struct gauge *gauge, const struct expt_view *view,
	       const struct kind_use *use, const struct expt *expt);
/* Add the measures of a record to the sums of one group. */
void gauge_add(const struct gauge *gauge, const struct expt_record *record,
	       const struct figures *sum);
/* Returns the use of the kind whose metrics count events of this data; NULL: none. */
const struct kind_use *gauge_use(const struct expt_view *view, enum expt_data data);

#endif
