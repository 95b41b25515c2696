/* SPDX-License-Identifier: Apache-2.0 */
/* MPI keeps the order of messages with the same sender, receiver, communicator and tag:
 * the first one that is sent is the first one that is received. */
#include "libexpt/ranks/messages.h"

#include <stdlib.h>
#include <string.h>

static int compare_kinds(const struct rank_message *a, const struct rank_message *b)
{
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	if (a->communicator != b->communicator)
		return a->communicator < b->communicator ? -1 : 1;
	return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static int compare(const struct rank_message *a, const struct rank_message *b)
{
	int order = compare_kinds(a, b);

	return order ? order : (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

/* Merge two sorted neighbours. */
static void merge(struct rank_message *to, const struct rank_message *from, size_t first,
		  size_t middle, size_t end)
{
	size_t a = first, b = middle;

	for (size_t i = first; i < end; i++)
		to[i] = b == end || (a < middle && compare(&from[a], &from[b]) <= 0)
				? from[a++]
				: from[b++];
}

/* Those of one call have the same time, and stay in their order. */
bool messages_sort(struct rank_messages *messages)
{
	struct rank_message *from = messages->items, *to;
	size_t count = messages->count;

	if (count < 2)
		return true;
	to = calloc(messages->capacity, sizeof(*to));
	if (!to)
		return false;
	for (size_t width = 1; width < count; width *= 2) {
		struct rank_message *swap = from;

		for (size_t i = 0; i < count; i += 2 * width) {
			size_t middle = i + width < count ? i + width : count;
			size_t end = middle + width < count ? middle + width : count;

			merge(to, from, i, middle, end);
		}
		from = to;
		to = swap;
	}
	messages->items = from;
	free(to);
	return true;
}

void messages_pair(const struct rank_messages *sent, const struct rank_messages *received,
		   pair_visitor *visit, void *context)
{
	size_t i = 0, j = 0;

	while (i < sent->count && j < received->count) {
		int order = compare_kinds(&sent->items[i], &received->items[j]);

		if (order == 0)
			visit(context, &sent->items[i++], &received->items[j++]);
		else if (order < 0)
			i++;
		else
			j++;
	}
}
