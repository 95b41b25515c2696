/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of each experiment, and the part of it that has samples. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/events/problems.h"
#include "libexpt/kinds/clock.h"

static bool is_not_sampled(const struct expt_row *row)
{
	return row->function && expt_function_is_not_sampled(row->function);
}

static bool add_stacks(struct expt_rows *rows, size_t metric, struct expt_cpu_time *times)
{
	const struct expt_view *view = rows->view;
	struct row_path path = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < view->sums->stacks.count && is_good; i++) {
		const struct stack_sum *stack = &view->sums->stacks.items[i];
		struct expt_cpu_time *time = &times[stack->member];
		int64_t ns = figures_value(view, &stack->figures, 0, metric);

		is_good = ns == 0 || rows_path(rows, stack, &path) >= 0;
		if (!is_good || ns == 0)
			continue;
		add_saturated(&time->total_ns, ns);
		if (path.count == 0 ||
		    !is_not_sampled(&rows->rows.items[path.items[0]].shown))
			add_saturated(&time->sampled_ns, ns);
	}
	array_release(&path);
	return is_good;
}

int expt_view_cpu_times(struct expt_view *view, struct expt_cpu_time *times,
			struct expt_error *err)
{
	struct expt_rows *rows = rows_get(view, EXPT_BY_FUNCTION);

	memset(times, 0, view->members.count * sizeof(*times));
	if (!rows ||
	    !add_stacks(rows, expt_metric_first(view, EXPT_CLOCK) + CLOCK_TOTAL_CPU,
			times))
		return view_refuse(view, err);
	return 0;
}
