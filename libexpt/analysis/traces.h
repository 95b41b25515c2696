/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks that look the same, for others that sum up by them. */
#ifndef LIBEXPT_ANALYSIS_TRACES_H
#define LIBEXPT_ANALYSIS_TRACES_H

#include "libexpt/analysis/frames.h"

/* Returns an empty list, which needs no sums of the view; NULL: out of memory. */
struct expt_traces *traces_new(struct expt_view *view);
/* Returns the number of the trace of a stack, which may be new; IDMAP_NONE: out of
 * memory. apart: see expt_traces_find(). */
uint32_t traces_of_stack(struct expt_traces *traces, const struct stack_sum *sum,
			 bool apart);
/* Returns the figures of accesses to what a trace allocated, made at the first call;
 * NULL: out of memory. */
struct figures *traces_accesses(struct expt_traces *traces, uint32_t number);

#endif
