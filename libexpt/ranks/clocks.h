/* SPDX-License-Identifier: Apache-2.0 */
/* Several clocks, as far as messages between them tell. */
#ifndef LIBEXPT_RANKS_CLOCKS_H
#define LIBEXPT_RANKS_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages from one clock to another. */
struct clock_bound {
	size_t from, to;
	int64_t least_ns; /* that one took, by the two clocks */
};

struct clocks {
	size_t count;
	int64_t *offset_ns; /* to be added to a clock; that of the first one is 0 */
	struct {
		struct clock_bound *items;
		size_t count, capacity;
	} bounds;
};

/* false, here and below: out of memory. */
bool clocks_begin(struct clocks *clocks, size_t count);
void clocks_release(struct clocks *clocks);
/* A message was sent, and received, at these times of the two clocks. */
bool clocks_add(struct clocks *clocks, size_t from, size_t to, int64_t sent_ns,
		int64_t received_ns);
/* Find the offsets: set them to a guess before. */
bool clocks_align(struct clocks *clocks);
/* Change offsets no more than needed, so that no message is received before it was sent;
 * some still are where clocks do not go at the same speed. */
void clocks_correct(struct clocks *clocks);

#endif
