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
	bool keeps;	  /* the filter keeps the current record */
	uint64_t time_ns; /* of the current record */
	bool is_short;	  /* of memory for events that are kept */
};

/* Returns the number of a record's stack, or IDMAP_NONE: out of memory. REPLAY_DROPPED:
 * the filter drops the record, which shall count nowhere. */
#define REPLAY_DROPPED (IDMAP_NONE - 1)
uint32_t replay_stack(struct replay *replay, const struct expt_record *record);
/* Add to a metric of the kind, given by its number within the kind; nothing for
 * REPLAY_DROPPED. */
void replay_add(struct replay *replay, uint32_t stack, size_t metric, int64_t value);

/* Add the member's records of one kind to the sums of the index. false: out of memory, or
 * stopped. */
bool replay_data(struct expt_view *view, struct stack_index *index, enum expt_data data);

#endif
