/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message that takes d from one clock to the other bounds their offsets: that of the
 * sender is at most d larger. Messages both ways leave an interval, whose middle is right
 * if the fastest messages take the same time both ways. Over several hosts, the bounds
 * are shortest paths.
 *
 * Clocks also go at different speeds, by some microseconds in a second. The middles of
 * several windows of time lie on a line.
 */
#include "libexpt/ranks/clocks.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"

#define GAIN_MAX 1e18 /* ns: less is a number of 64 bits */

bool clocks_begin(struct clocks *clocks, size_t count)
{
	*clocks = (struct clocks){ .count = count };
	clocks->lines = calloc(count + 1, sizeof(*clocks->lines));
	return clocks->lines;
}

void clocks_release(struct clocks *clocks)
{
	free(clocks->lines);
	clocks->lines = NULL;
	array_release(&clocks->whole);
	for (size_t i = 0; i < CLOCK_WINDOWS; i++)
		array_release(&clocks->windows[i]);
}

int64_t clocks_time(const struct clocks *clocks, size_t clock, int64_t time_ns)
{
	const struct clock_line *line = &clocks->lines[clock];
	double gained;

	add_saturated(&time_ns, line->offset_ns);
	gained = ((double)time_ns - (double)clocks->origin_ns) * line->rate;
	if (gained > -GAIN_MAX && gained < GAIN_MAX)
		add_saturated(&time_ns, (int64_t)gained);
	return time_ns;
}

/* ---- bounds ---- */

static bool bound(struct clock_bounds *bounds, size_t from, size_t to, int64_t taken)
{
	struct clock_bound *last = bounds->count ? &bounds->items[bounds->count - 1]
						 : NULL;

	if (!last || last->from != from || last->to != to) {
		last = array_add(bounds);
		if (!last)
			return false;
		*last = (struct clock_bound){ from, to, taken };
	}
	if (taken < last->least_ns)
		last->least_ns = taken;
	return true;
}

/* Returns NULL where the messages' beginning and end are not known. */
static struct clock_bounds *window_of(struct clocks *clocks, int64_t sent_ns)
{
	double share = ((double)sent_ns - (double)clocks->origin_ns) /
		       ((double)clocks->end_ns - (double)clocks->origin_ns + 1);

	if (!(share >= 0 && share < 1))
		return NULL;
	return &clocks->windows[(size_t)(share * CLOCK_WINDOWS)];
}

bool clocks_add(struct clocks *clocks, size_t from, size_t to, int64_t sent_ns,
		int64_t received_ns)
{
	struct clock_bounds *window;
	int64_t taken;

	sent_ns = clocks_time(clocks, from, sent_ns);
	received_ns = clocks_time(clocks, to, received_ns);
	if (__builtin_sub_overflow(received_ns, sent_ns, &taken))
		return true;
	if (clocks->whole.count == 0 || sent_ns < clocks->first_ns)
		clocks->first_ns = sent_ns;
	if (clocks->whole.count == 0 || sent_ns > clocks->last_ns)
		clocks->last_ns = sent_ns;
	window = window_of(clocks, sent_ns);
	return (!window || bound(window, from, to, taken)) &&
	       bound(&clocks->whole, from, to, taken);
}

/* The bounds of a step are used once. */
static void forget(struct clocks *clocks)
{
	clocks->whole.count = 0;
	for (size_t i = 0; i < CLOCK_WINDOWS; i++)
		clocks->windows[i].count = 0;
}

/* Lower each value to what another one and a message permit, except the first. is_back:
 * messages go the other way. Returns false if nothing has changed. */
static bool lower(const struct clock_bounds *bounds, int64_t *values, bool is_back,
		  bool is_first_fixed)
{
	bool is_changed = false;

	for (size_t i = 0; i < bounds->count; i++) {
		const struct clock_bound *item = &bounds->items[i];
		size_t lowered = is_back ? item->to : item->from;
		int64_t other = values[is_back ? item->from : item->to], highest;

		if (other != INT64_MAX && !(is_first_fixed && lowered == 0) &&
		    !__builtin_add_overflow(other, item->least_ns, &highest) &&
		    highest < values[lowered]) {
			values[lowered] = highest;
			is_changed = true;
		}
	}
	return is_changed;
}

/* More rounds than there are clocks only help where nothing fits, and then for ever. */
static void lower_all(const struct clocks *clocks, const struct clock_bounds *bounds,
		      int64_t *values, bool is_back, bool is_first_fixed)
{
	for (size_t i = 0; i <= clocks->count; i++)
		if (!lower(bounds, values, is_back, is_first_fixed))
			return;
}

/* ---- steps ---- */

/* Damaged files have any times. */
static void change(struct clock_line *line, int64_t by, int64_t than)
{
	int64_t difference;

	if (!__builtin_sub_overflow(by, than, &difference))
		add_saturated(&line->offset_ns, difference);
}

/* Store the middles between the bounds, INT64_MAX where there are none. */
static bool find_middles(const struct clocks *clocks, const struct clock_bounds *bounds,
			 int64_t *middles)
{
	cleanup_free int64_t *lowest = calloc(clocks->count + 1, sizeof(*lowest));

	if (!lowest)
		return false;
	for (size_t i = 1; i < clocks->count; i++)
		middles[i] = lowest[i] = INT64_MAX;
	middles[0] = 0;
	lower_all(clocks, bounds, middles, false, true);
	lower_all(clocks, bounds, lowest, true, true);
	for (size_t i = 1; i < clocks->count; i++)
		middles[i] = middles[i] == INT64_MAX || lowest[i] == INT64_MAX
				     ? INT64_MAX
				     : middles[i] / 2 - lowest[i] / 2;
	return true;
}

bool clocks_correct(struct clocks *clocks)
{
	cleanup_free int64_t *changes = calloc(clocks->count + 1, sizeof(*changes));

	if (!changes)
		return false;
	lower_all(clocks, &clocks->whole, changes, false, false);
	for (size_t i = 0; i < clocks->count; i++)
		change(&clocks->lines[i], changes[i], changes[0]);
	forget(clocks);
	return true;
}

bool clocks_align(struct clocks *clocks)
{
	cleanup_free int64_t *changes = calloc(clocks->count + 1, sizeof(*changes));

	if (!changes || !find_middles(clocks, &clocks->whole, changes))
		return false;
	for (size_t i = 0; i < clocks->count; i++)
		if (changes[i] == INT64_MAX)
			changes[i] = 0;
	lower_all(clocks, &clocks->whole, changes, false, true);
	for (size_t i = 0; i < clocks->count; i++)
		change(&clocks->lines[i], changes[i], 0);
	clocks->origin_ns = clocks->first_ns;
	clocks->end_ns = clocks->last_ns;
	forget(clocks);
	return true;
}

/* Change the line of a clock by the line through its middles, of which there is one for
 * each window. The middle of a window is at x, in windows since the origin. */
static void fit(struct clocks *clocks, size_t clock, const int64_t *middles)
{
	double width =
		((double)clocks->end_ns - (double)clocks->origin_ns + 1) / CLOCK_WINDOWS;
	double n = 0, x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0, slope, offset;
	struct clock_line *line = &clocks->lines[clock];

	for (size_t i = 0; i < CLOCK_WINDOWS; i++) {
		double x = (double)i + 0.5;
		double y = (double)middles[i * clocks->count + clock];

		if (middles[i * clocks->count + clock] == INT64_MAX)
			continue;
		n++;
		x_sum += x;
		y_sum += y;
		xx_sum += x * x;
		xy_sum += x * y;
	}
	if (n < 2)
		return;
	slope = (n * xy_sum - x_sum * y_sum) / (n * xx_sum - x_sum * x_sum);
	offset = (y_sum - slope * x_sum) / n;
	if (!(offset > -GAIN_MAX && offset < GAIN_MAX))
		return;
	add_saturated(&line->offset_ns, (int64_t)offset);
	line->rate = (1 + line->rate) * (1 + slope / width) - 1;
}

/* Whether no message is received before it was sent. */
static bool fits(const struct clock_bounds *bounds)
{
	for (size_t i = 0; i < bounds->count; i++)
		if (bounds->items[i].least_ns < 0)
			return false;
	return true;
}

bool clocks_bend(struct clocks *clocks)
{
	cleanup_free int64_t *middles =
		calloc(CLOCK_WINDOWS * clocks->count + 1, sizeof(*middles));

	if (!middles)
		return false;
	if (fits(&clocks->whole)) {
		forget(clocks);
		return true;
	}
	for (size_t i = 0; i < CLOCK_WINDOWS; i++)
		if (!find_middles(clocks, &clocks->windows[i],
				  middles + i * clocks->count))
			return false;
	for (size_t i = 1; i < clocks->count; i++)
		fit(clocks, i, middles);
	forget(clocks);
	return true;
}
