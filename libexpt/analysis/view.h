/* SPDX-License-Identifier: Apache-2.0 */
/* A view; its functions are in expt.h. */
#ifndef LIBEXPT_ANALYSIS_VIEW_H
#define LIBEXPT_ANALYSIS_VIEW_H

#include "libexpt/analysis/kinds.h"
#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

struct stack_sums;

struct member {
	struct expt *expt;
	char *name;
	size_t founder;
	size_t damage; /* number of places that are problems already */
};

/* A kind of data as this view uses it. */
struct kind_use {
	const struct data_kind *kind;
	const struct metric_form *forms;
	size_t count; /* of its metrics */
	size_t base;  /* the number of the first */
	void *own;    /* of the kind */
};

struct expt_view {
	struct {
		struct member *items;
		size_t count, capacity;
	} members;
	size_t founders;
	struct kind_use uses[KIND_COUNT];
	struct expt_metric metrics[METRICS_MAX];
	size_t metric_count;
	/* Values are kept for the metrics with data only: the place of each metric's
	 * value, or PLACE_NONE, and their number. */
	size_t places[METRICS_MAX], width;
	struct {
		struct expt_problem *items;
		size_t count, capacity;
	} problems;
	struct arena texts;	 /* of problems and metrics */
	struct stack_sums *sums; /* NULL until they are asked for */
	struct expt_rows *rows[EXPT_BY_COUNT];
};

/* Returns the value of a metric, among those of a row or a stack. */
static inline int64_t value_of(const struct expt_view *view, const int64_t *values,
			       size_t metric)
{
	return view->places[metric] == PLACE_NONE ? 0 : values[view->places[metric]];
}

#endif
