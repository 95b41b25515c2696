/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of an MPI job, and the messages between them. */
/* clang-format off */
#ifndef LIBEXPT_API_RANKS_H
#define LIBEXPT_API_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/view.h"

EXPT_DECLARATIONS_BEGIN

struct expt_rank {
	int64_t rank;			/* in MPI_COMM_WORLD */
	const char *host;
	int64_t calls, time_ns;		/* of MPI */
	/* Messages and bytes, those of collective calls included: */
	int64_t sends, sent, receives, received;
	/* To be added to its clock, when messages begin, for that of the first rank.
	 * It is estimated from the messages, if there are some both ways between their
	 * hosts; as are the speeds of the clocks. */
	int64_t offset_ns;
};

/* Messages from one rank to another. A pair is a message whose sending and receiving were
 * both recorded. */
struct expt_route {
	size_t from, to;		/* in the list of ranks */
	int64_t sends, sent, receives, received;
	int64_t pairs;
	/* From the start of the call that sends to the end of the one that receives, of
	 * all pairs together, and of the shortest one */
	int64_t total_ns, shortest_ns;
	/* Pairs that were received before they were sent, by the clocks: they count as
	 * if at the same time */
	int64_t early;
};

/* The experiments M_r0.er, M_r1.er ... of a founder, with the events that the filter
 * keeps. Founders that are ranks themselves are a job together, which is that of the
 * first one; of several with the same rank, each belongs to a job of its own. There are
 * no ranks if the founder is not that of a job. */
struct expt_ranks;
int expt_ranks_find(struct expt_ranks **out, struct expt_view *view, size_t founder,
		    struct expt_error *err);
void expt_ranks_free(struct expt_ranks *ranks);
/* In the order of their numbers. */
size_t expt_ranks_count(const struct expt_ranks *ranks);
const struct expt_rank *expt_rank(const struct expt_ranks *ranks, size_t i);
/* Sorted by sender, then by receiver. */
size_t expt_routes_count(const struct expt_ranks *ranks);
const struct expt_route *expt_route(const struct expt_ranks *ranks, size_t i);

EXPT_DECLARATIONS_END

#endif
