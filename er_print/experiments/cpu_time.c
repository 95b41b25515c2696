/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/experiments/cpu_time.h"

#include <stdlib.h>

bool has_cpu_times(const struct session *session)
{
	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		const struct expt *expt = expt_view_expt(session->view, i);

		if (expt_clock_interval_us(expt) != expt_clock_period_us(expt))
			return true;
	}
	return false;
}

struct expt_cpu_time *find_cpu_times(struct session *session)
{
	size_t count = expt_view_count(session->view);
	struct expt_cpu_time *times = calloc(count + 1, sizeof(*times));
	struct expt_error err;

	if (!times)
		session_out_of_memory(session);
	if (times && expt_view_cpu_times(session->view, times, &err) < 0) {
		session_failed(session, &err);
		free(times);
		times = NULL;
	}
	session_report_problems(session);
	return times;
}

double sampled_share(const struct expt_cpu_time *time)
{
	return time->total_ns > 0
		       ? 100.0 * (double)time->sampled_ns / (double)time->total_ns
		       : 0;
}
