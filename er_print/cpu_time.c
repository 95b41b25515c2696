/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/cpu_time.h"

#include <stdlib.h>

#include "er_print/aggregate.h"
#include "er_print/clock.h"
#include "er_print/metrics.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

bool has_cpu_time(const struct expt *expt)
{
	return expt_clock_interval_us(expt) != expt_clock_period_us(expt);
}

bool session_has_cpu_times(const struct session *session)
{
	for (size_t i = 0; i < session->members.count; i++)
		if (has_cpu_time(session->members.items[i].expt))
			return true;
	return false;
}

static bool is_not_sampled(const struct row *row)
{
	return row->function && expt_function_is_not_sampled(row->function);
}

static bool add_stacks(struct session *session, size_t place, struct cpu_time *times)
{
	const struct aggregate *aggregate = session->aggregate;
	struct row_path path = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < aggregate->stacks.count && is_good; i++) {
		const struct stack_sum *stack = &aggregate->stacks.items[i];
		struct cpu_time *time = &times[stack->member];
		int64_t ns = stack->values[place];

		is_good = ns == 0 || aggregate_path(session, stack, &path) >= 0;
		if (!is_good || ns == 0)
			continue;
		time->total_ns += ns;
		if (path.count == 0 ||
		    !is_not_sampled(&aggregate->rows.items[path.items[0]]))
			time->sampled_ns += ns;
	}
	free(path.items);
	return is_good;
}

struct cpu_time *session_cpu_times(struct session *session)
{
	struct cpu_time *times = calloc(session->members.count + 1, sizeof(*times));
	size_t place;

	if (!session_aggregate(session)) {
		free(times);
		return NULL;
	}
	place = session->aggregate
			->value_places[metric_base_of(&clock_kind) + CLOCK_TOTAL_CPU];
	if (times && (place == PLACE_NONE || add_stacks(session, place, times)))
		return times;
	free(times);
	session->status = cli_error("out of memory");
	return NULL;
}

double cpu_time_sampled_share(const struct cpu_time *time)
{
	return time->total_ns > 0
		       ? 100.0 * (double)time->sampled_ns / (double)time->total_ns
		       : 0;
}
