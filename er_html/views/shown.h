/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments that a page shows, and the metrics that have data. */
#ifndef ER_HTML_VIEWS_SHOWN_H
#define ER_HTML_VIEWS_SHOWN_H

#include "libexpt/expt.h"

struct shown {
	struct expt_view *view;
	const struct expt_tables *tables;
	const size_t *metrics; /* their numbers in the view */
	size_t metric_count;
};

#endif
