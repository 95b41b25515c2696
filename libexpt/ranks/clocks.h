/* SPDX-License-Identifier: Apache-2.0 */
/* Several clocks, as far as messages between them tell. */
#ifndef LIBEXPT_RANKS_CLOCKS_H
#define LIBEXPT_RANKS_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLOCK_WINDOWS 16

/* Messages from one clock to another. */
struct clock_bound {
	size_t from, to;
	int64_t least_ns; /* that one took, by the two clocks */
};

struct clock_bounds {
	struct clock_bound *items;
	size_t count, capacity;
};

/* The time of a clock, on that of the first one. */
struct clock_line {
	int64_t offset_ns;
	double rate; /* by which it gains, since the origin */
};

struct clocks {
	size_t count;
	struct clock_line *lines;
	/* When messages begin and end, on the first clock: known, and in this step. */
	int64_t origin_ns, end_ns, first_ns, last_ns;
	struct clock_bounds whole, windows[CLOCK_WINDOWS];
};

/* Set the offsets to a guess afterwards. false, here and below: out of memory. */
bool clocks_begin(struct clocks *clocks, size_t count);
void clocks_release(struct clocks *clocks);
/* Returns the time on the first clock, as far as is known by now. */
int64_t clocks_time(const struct clocks *clocks, size_t clock, int64_t time_ns);

/* A message was sent, and received, at these times of the two clocks. Call for all
 * messages before each of the following steps; those of one route come one after the
 * other. */
bool clocks_add(struct clocks *clocks, size_t from, size_t to, int64_t sent_ns,
		int64_t received_ns);
/* Find the offsets; call it twice, as the first time they are those of the guess. */
bool clocks_align(struct clocks *clocks);
/* Find the speeds, once the offsets are known and where they do not fit; call it three
 * times. */
bool clocks_bend(struct clocks *clocks);
/* Change offsets no more than needed, so that no message is received before it was sent;
 * some still are where clocks do not go steadily. */
bool clocks_correct(struct clocks *clocks);

#endif
