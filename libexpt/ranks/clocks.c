/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message that takes d from one clock to the other bounds their offsets: that of the
 * sender is at most d larger. Messages both ways leave an interval, whose middle is right
 * if the fastest messages take the same time both ways. Over several hosts, the bounds
 * are shortest paths.
 */
#include "libexpt/ranks/clocks.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"

bool clocks_begin(struct clocks *clocks, size_t count)
{
	*clocks = (struct clocks){ .count = count };
	clocks->offset_ns = calloc(count + 1, sizeof(*clocks->offset_ns));
	return clocks->offset_ns;
}

void clocks_release(struct clocks *clocks)
{
	free(clocks->offset_ns);
	clocks->offset_ns = NULL;
	array_release(&clocks->bounds);
}

/* Messages of one route come one after the other. */
bool clocks_add(struct clocks *clocks, size_t from, size_t to, int64_t sent_ns,
		int64_t received_ns)
{
	size_t count = clocks->bounds.count;
	struct clock_bound *bound = count ? &clocks->bounds.items[count - 1] : NULL;
	int64_t taken;

	if (__builtin_sub_overflow(received_ns, sent_ns, &taken))
		return true;
	if (!bound || bound->from != from || bound->to != to) {
		bound = array_add(&clocks->bounds);
		if (!bound)
			return false;
		*bound = (struct clock_bound){ from, to, taken };
	}
	if (taken < bound->least_ns)
		bound->least_ns = taken;
	return true;
}

/* Lower each value to the bound that another one and a message set. is_back: messages go
 * the other way. Returns false if nothing has changed. */
static bool lower(const struct clocks *clocks, int64_t *values, bool is_back)
{
	bool is_changed = false;

	for (size_t i = 0; i < clocks->bounds.count; i++) {
		const struct clock_bound *bound = &clocks->bounds.items[i];
		int64_t *lowered = &values[is_back ? bound->to : bound->from], highest;
		int64_t other = values[is_back ? bound->from : bound->to];

		if (other != INT64_MAX &&
		    !__builtin_add_overflow(other, bound->least_ns, &highest) &&
		    highest < *lowered) {
			*lowered = highest;
			is_changed = true;
		}
	}
	return is_changed;
}

/* More rounds than there are clocks only help if their speeds differ, and then for ever.
 */
static void lower_all(const struct clocks *clocks, int64_t *values, bool is_back)
{
	for (size_t i = 0; i <= clocks->count; i++)
		if (!lower(clocks, values, is_back))
			return;
}

void clocks_correct(struct clocks *clocks)
{
	lower_all(clocks, clocks->offset_ns, false);
	for (size_t i = clocks->count; i-- > 0;)
		clocks->offset_ns[i] -= clocks->offset_ns[0];
}

bool clocks_align(struct clocks *clocks)
{
	cleanup_free int64_t *highest = calloc(clocks->count + 1, sizeof(*highest));
	cleanup_free int64_t *lowest = calloc(clocks->count + 1, sizeof(*lowest));

	if (!highest || !lowest)
		return false;
	for (size_t i = 1; i < clocks->count; i++)
		highest[i] = lowest[i] = INT64_MAX;
	lower_all(clocks, highest, false);
	lower_all(clocks, lowest, true);
	for (size_t i = 1; i < clocks->count; i++)
		if (highest[i] != INT64_MAX && lowest[i] != INT64_MAX)
			clocks->offset_ns[i] = highest[i] / 2 - lowest[i] / 2;
	clocks_correct(clocks);
	return true;
}
