/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/circles.h"

#include <stdbool.h>
#include <stddef.h>

#include "collector/deadlock/graph.h"
#include "collector/deadlock/report.h"

/* Orders that a search looks at, and circles that it finds but that have been recorded:
 * there may be any number of either. */
#define LOOKS_MAX    2000
#define REPEATED_MAX 4

struct search {
	struct circle circle;
	struct order *orders[CIRCLE_MAX]; /* of the circle, not constant */
	unsigned length;		  /* of the circles that are looked for */
	unsigned looks, repeated;
	bool is_cut; /* there are longer paths */
};

/* Do both threads only read this lock? */
static bool is_harmless(const struct order *to, const struct order *from)
{
	return to->wanted_is_shared && from->held_is_shared;
}

/* Did the two threads hold a lock that only one can hold at a time? */
static bool is_excluded(const struct order *a, const struct order *b)
{
	return lock_sets_exclude(a->others, b->others) ||
	       lock_set_excludes(a->others, b->from->number, b->held_is_shared) ||
	       lock_set_excludes(b->others, a->from->number, a->held_is_shared);
}

static bool may_follow(const struct circle *circle, const struct order *order)
{
	if (is_harmless(circle->orders[circle->count - 1], order))
		return false;
	for (unsigned i = 0; i < circle->count; i++)
		if (circle->orders[i]->from == order->from ||
		    is_excluded(circle->orders[i], order))
			return false;
	return true;
}

enum fit { FITS, IS_SAME_THREAD, IS_ORDERED };

static enum fit fit(const struct circle *circle, const struct occurrence *occurrence)
{
	enum fit result = FITS;

	for (unsigned i = 0; i < circle->count; i++) {
		const struct occurrence *other = circle->occurrences[i];

		if (other->party == occurrence->party)
			return IS_SAME_THREAD;
		if (clock_is_before(&other->moment, &occurrence->moment) ||
		    clock_is_before(&occurrence->moment, &other->moment))
			result = IS_ORDERED;
	}
	return result;
}

/* The circle may be one at another time. */
static void mark_ordered(struct search *search, struct order *order)
{
	order->is_ordered = true;
	for (unsigned i = 0; i < search->circle.count; i++)
		search->orders[i]->is_ordered = true;
}

/* This and the following functions return true when the search is over. */
static bool report(struct search *search)
{
	return report_potential(&search->circle) || ++search->repeated == REPEATED_MAX;
}

static bool go_on(struct search *search);

static bool try_occurrence(struct search *search, struct order *order,
			   const struct occurrence *occurrence)
{
	struct circle *circle = &search->circle;
	const struct order *first = circle->orders[0];
	bool is_over = false;

	search->orders[circle->count] = order;
	circle->orders[circle->count] = order;
	circle->occurrences[circle->count++] = occurrence;
	if (order->to == first->from)
		is_over = circle->count == search->length && report(search);
	else if (circle->count < search->length)
		is_over = go_on(search);
	else
		search->is_cut = true;
	circle->count--;
	return is_over;
}

static bool try_order(struct search *search, struct order *order)
{
	bool is_over = false;

	if (order->to == search->circle.orders[0]->from &&
	    is_harmless(order, search->circle.orders[0]))
		return false;
	for (const struct occurrence *each = order->occurrences; each && !is_over;
	     each = each->next)
		switch (fit(&search->circle, each)) {
		case FITS:
			is_over = try_occurrence(search, order, each);
			break;
		case IS_ORDERED:
			mark_ordered(search, order);
			break;
		case IS_SAME_THREAD:
			break;
		}
	return is_over;
}

static bool go_on(struct search *search)
{
	const struct lock *lock = search->circle.orders[search->circle.count - 1]->to;

	for (struct order *order = lock->out; order; order = order->next_out) {
		if (++search->looks > LOOKS_MAX)
			return true;
		if (may_follow(&search->circle, order) && try_order(search, order))
			return true;
	}
	return false;
}

/* Short circles first: they are easier to understand. */
void circles_find(struct order *order, const struct occurrence *occurrence)
{
	struct search search = { .circle = { .count = 1,
					     .orders = { order },
					     .occurrences = { occurrence } },
				 .orders = { order },
				 .is_cut = true };

	for (search.length = 2; search.length <= CIRCLE_MAX && search.is_cut;
	     search.length++) {
		search.is_cut = false;
		if (!order->to->out || go_on(&search))
			return;
	}
}
