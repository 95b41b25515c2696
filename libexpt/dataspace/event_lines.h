/* SPDX-License-Identifier: Apache-2.0 */
/* The cache lines of memory that events with data addresses accessed, in any process:
 * blocks on other lines need not be known. */
#ifndef LIBEXPT_DATASPACE_EVENT_LINES_H
#define LIBEXPT_DATASPACE_EVENT_LINES_H

#include "libexpt/events/view.h"

struct event_lines {
	uint64_t *words; /* by a hash of the page: a bit for each of its lines */
	uint64_t factor;
};

/* Read the events of all members. false: out of memory, or stopped. */
bool event_lines_read(struct event_lines *lines, struct expt_view *view);
/* Check whether there may be events in a range; if not, there are none. */
bool event_lines_may_have(const struct event_lines *lines, uint64_t start, uint64_t end);
void event_lines_release(struct event_lines *lines);

#endif
