/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the records of a member, each of which is measured by its kind. */
#ifndef LIBEXPT_EVENTS_REPLAY_H
#define LIBEXPT_EVENTS_REPLAY_H

#include "libexpt/events/stack_index.h"

/* State while the records of one process are read, for kinds that follow them. */
struct replay {
	struct expt_view *view;
	uint32_t member;
	const struct gauge *gauge, *second; /* NULL: the records are measured once */
	void *state, *summary;
	struct stack_index *index;
	struct timed_events *timed; /* NULL: times of the records are not kept */
	uint64_t later_ns;	    /* this process began after its founder */
	bool keeps;		    /* the filter keeps the current record */
};

/* Returns a number for a record and its stack, or IDMAP_NONE: out of memory.
 * REPLAY_DROPPED: the filter drops the record, which shall count nowhere. */
#define REPLAY_DROPPED (IDMAP_NONE - 1)
uint32_t replay_number(struct replay *replay, const struct expt_record *record);
/* Returns the number of its stack. */
uint32_t replay_stack(const struct replay *replay, uint32_t number);
/* Add to a metric of the kind, given by its number within the kind, at the time of the
 * record with that number; nothing for REPLAY_DROPPED. */
void replay_add(struct replay *replay, uint32_t number, size_t metric, int64_t value);

/* Add the member's records of one kind to the sums of the index. false: out of memory, or
 * stopped. */
bool replay_data(struct expt_view *view, struct stack_index *index, enum expt_data data);

#endif
