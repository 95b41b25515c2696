/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between ranks, and the pairs of those that send and those that receive. */
#ifndef LIBEXPT_RANKS_MESSAGES_H
#define LIBEXPT_RANKS_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message as one of its ranks has recorded it. */
struct rank_message {
	uint32_t from, to; /* in the list of ranks */
	int64_t communicator;
	int64_t time_ns; /* its call began, or for one that receives, ended */
	int64_t bytes;
	int32_t tag;
};

struct rank_messages {
	struct rank_message *items;
	size_t count, capacity;
};

/* Sort them so that those of a route, and of each kind that keeps its order, are
 * together. false: out of memory. */
bool messages_sort(struct rank_messages *messages);
/* Visit each pair of sorted messages. */
typedef void pair_visitor(void *context, const struct rank_message *sent,
			  const struct rank_message *received);
void messages_pair(const struct rank_messages *sent, const struct rank_messages *received,
		   pair_visitor *visit, void *context);

#endif
