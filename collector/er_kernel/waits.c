/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/waits.h"

#define US_NS 1000

void waits_begin(struct numbered *waits, const struct wait *wait)
{
	bool is_new;
	struct wait *known = numbered_get(waits, sizeof(*known), wait->thread, &is_new);
	uint64_t rest;

	if (!known)
		return;
	rest = known->process == wait->process ? known->rest_ns : 0;
	*known = *wait;
	known->rest_ns = rest;
}

uint64_t wait_end(struct wait *wait, uint64_t now_ns)
{
	uint64_t time_ns = now_ns > wait->since_ns ? now_ns - wait->since_ns : 0;

	time_ns += wait->rest_ns;
	wait->since_ns = 0;
	wait->rest_ns = time_ns % US_NS;
	return time_ns / US_NS;
}
