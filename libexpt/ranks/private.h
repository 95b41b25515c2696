/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a job while their messages are read. */
#ifndef LIBEXPT_RANKS_PRIVATE_H
#define LIBEXPT_RANKS_PRIVATE_H

#include "libexpt/base/idmap.h"
#include "libexpt/events/view.h"
#include "libexpt/ranks/clocks.h"
#include "libexpt/ranks/messages.h"

struct rank {
	struct expt_rank shown;
	size_t host;
};

struct expt_ranks {
	struct {
		struct rank *items;
		size_t count, capacity;
	} list;
	struct {
		struct expt_route *items;
		size_t count, capacity;
	} routes;
};

struct host {
	const char *name;
	int64_t guess_ns; /* the time since 1970 when its clock was zero */
};

struct reader {
	struct expt_view *view;
	struct expt_ranks *ranks;
	struct {
		struct host *items;
		size_t count, capacity;
	} hosts;
	/* Of each experiment of the view; -1: it does not belong to the job */
	int64_t *numbers;
	struct idmap by_number; /* ranks */
	struct rank_messages sent, received;
	struct clocks host_clocks, rank_clocks;
	bool is_full;		  /* memory has run out */
	struct expt_route *route; /* of the next pair */
};

/* Find the rank of each experiment of a job. false: out of memory. */
bool ranks_number(struct reader *reader, size_t founder);
/* Find how the clocks of the ranks differ. false: out of memory. */
bool ranks_align(struct reader *reader);
/* Returns a time of a rank's clock on that of the first rank. */
int64_t ranks_time(const struct reader *reader, uint32_t rank, int64_t time_ns);

#endif
