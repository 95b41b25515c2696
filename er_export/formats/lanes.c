/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/lanes.h"

#include <stdlib.h>

bool lanes_make(struct lanes *lanes, const struct expt_tables *tables)
{
	size_t *next = calloc(tables->thread_count + 1, sizeof(*next));

	lanes->events = calloc(tables->event_count + 1, sizeof(*lanes->events));
	lanes->begins = calloc(tables->thread_count + 1, sizeof(*lanes->begins));
	if (next && lanes->events && lanes->begins) {
		for (size_t i = 0; i < tables->event_count; i++)
			lanes->begins[tables->stacks[tables->events[i].stack].thread +
				      1]++;
		for (size_t i = 0; i < tables->thread_count; i++) {
			lanes->begins[i + 1] += lanes->begins[i];
			next[i] = lanes->begins[i];
		}
		for (size_t i = 0; i < tables->event_count; i++)
			lanes->events
				[next[tables->stacks[tables->events[i].stack].thread]++] =
				(uint32_t)i;
	}
	free(next);
	return next && lanes->events && lanes->begins;
}

void lanes_release(struct lanes *lanes)
{
	free(lanes->events);
	free(lanes->begins);
}
