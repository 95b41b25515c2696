/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events with data addresses, and the blocks of the heap in which these lay. A block is
 * known from the end of the call that allocated it to the beginning of the call that
 * freed it, so that memory between two blocks in the same place is in neither. What a
 * process had when it was made by fork is known from its parent. After a pause of the
 * recording, which may have missed a free, nothing is known at first.
 */
#ifndef LIBEXPT_DATASPACE_BLOCK_EVENTS_H
#define LIBEXPT_DATASPACE_BLOCK_EVENTS_H

#include "libexpt/dataspace/block_map.h"
#include "libexpt/events/view.h"

struct block_event {
	size_t member;
	struct expt_record record;
	const struct allocation *allocation; /* NULL: in no block that is known */
};

struct block_events;

/* Read the events that the filter keeps, of counters with data objects; stack_sums_get()
 * must have succeeded if anything is filtered. Those of a process come in the order of
 * time. NULL: out of memory, or stopped. */
struct block_events *block_events_open(struct expt_view *view);
/* Returns 1, with an event that is valid until the next call; 0: there are no more; -1:
 * out of memory, or stopped. */
int block_events_next(struct block_events *events, struct block_event *event);
void block_events_close(struct block_events *events);

#endif
