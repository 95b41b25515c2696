/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a row and the like: a value for each metric with data, and for sampled
 * ones the sum of the squares, apart for each group of a comparison. */
#ifndef LIBEXPT_EVENTS_FIGURES_H
#define LIBEXPT_EVENTS_FIGURES_H

#include "libexpt/events/view.h"

struct figures {
	int64_t *values; /* groups times the view's width */
	double *squares; /* groups times the view's squares_width */
};

/* Make figures of groups that are all zero. false: out of memory. */
bool figures_make(struct figures *figures, const struct expt_view *view, size_t groups,
		  struct arena *arena);
/* Add those of one group to a group of the sum. */
void figures_add(const struct expt_view *view, const struct figures *sum, size_t group,
		 const struct figures *one);
/* Add all groups to those of the sum. */
void figures_add_all(const struct expt_view *view, const struct figures *sum,
		     const struct figures *all);
bool figures_are_zero(const struct expt_view *view, const struct figures *one);

/* Returns a metric's value in a group, or with EXPT_ALL_GROUPS in all of them. */
int64_t figures_value(const struct expt_view *view, const struct figures *figures,
		      size_t group, size_t metric);
/* Returns the sum of the squares; 0 for a metric that is not sampled. */
double figures_square(const struct expt_view *view, const struct figures *figures,
		      size_t group, size_t metric);

#endif
