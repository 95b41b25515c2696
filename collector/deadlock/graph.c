/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/graph.h"

#include <stdatomic.h>

#include "collector/base/memory.h"
#include "collector/deadlock/circles.h"
#include "collector/deadlock/guard.h"
#include "collector/deadlock/party.h"

#define HASH_BITS	14
#define ORDERS_MAX	131072
#define OCCURRENCES_MAX 8 /* of an order; the oldest makes room */

MEMORY_APART static struct order *orders[1 << HASH_BITS];
static struct order *unused_orders;
static struct occurrence *unused_occurrences;
static uint32_t order_count;
static _Atomic uint32_t lost;
_Atomic uint32_t graph_generation;

uint32_t graph_lost(void)
{
	return atomic_load(&lost);
}

/* ---- orders ---- */

static struct order **bucket_of(const struct lock *from, const struct lock *to)
{
	uint64_t numbers = (uint64_t)from->number << 32 | to->number;

	return &orders[party_mix(numbers) >> (64 - HASH_BITS)];
}

static bool is_same(const struct order *order, const struct order *wanted)
{
	return order->from == wanted->from && order->to == wanted->to &&
	       order->others == wanted->others &&
	       order->held_is_shared == wanted->held_is_shared &&
	       order->wanted_is_shared == wanted->wanted_is_shared;
}

static struct order *make_order(void)
{
	struct order *order = unused_orders;

	if (order)
		unused_orders = order->next;
	else if (order_count < ORDERS_MAX)
		order = memory_get(sizeof(*order));
	if (order)
		order_count++;
	return order;
}

static struct order *get_order(const struct order *wanted)
{
	struct order **at = bucket_of(wanted->from, wanted->to), *order;

	for (order = *at; order; order = order->next)
		if (is_same(order, wanted))
			return order;
	order = make_order();
	if (!order)
		return NULL;
	*order = *wanted;
	order->next = *at;
	*at = order;
	order->next_out = wanted->from->out;
	wanted->from->out = order;
	order->next_in = wanted->to->in;
	wanted->to->in = order;
	return order;
}

static void drop_occurrence(struct occurrence *occurrence)
{
	clock_drop(occurrence->moment.clock);
	occurrence->next = unused_occurrences;
	unused_occurrences = occurrence;
}

static void drop_order(struct order *order)
{
	struct order **at = bucket_of(order->from, order->to);
	struct occurrence *next;

	for (struct occurrence *each = order->occurrences; each; each = next) {
		next = each->next;
		drop_occurrence(each);
	}
	while (*at != order)
		at = &(*at)->next;
	*at = order->next;
	for (at = &order->from->out; *at != order;)
		at = &(*at)->next_out;
	*at = order->next_out;
	for (at = &order->to->in; *at != order;)
		at = &(*at)->next_in;
	*at = order->next_in;
	order->next = unused_orders;
	unused_orders = order;
	order_count--;
}

static void forget(struct lock *lock)
{
	while (lock->out)
		drop_order(lock->out);
	while (lock->in)
		drop_order(lock->in);
	lock_drop(lock);
	atomic_fetch_add(&graph_generation, 1);
}

void graph_forget(uintptr_t address)
{
	struct lock *lock = lock_find(address);

	if (lock)
		forget(lock);
}

void graph_forget_block(uintptr_t block, size_t size)
{
	struct lock *lock;

	while ((lock = lock_find_in(block, size)))
		forget(lock);
}

/* ---- occurrences ---- */

static struct occurrence *find_occurrence(const struct order *order, uint32_t party)
{
	struct occurrence *each = order->occurrences;

	while (each && each->party != party)
		each = each->next;
	return each;
}

/* Drop the last one: new ones are first. */
static void make_room(struct order *order)
{
	struct occurrence **at = &order->occurrences;

	if (order->count < OCCURRENCES_MAX)
		return;
	while ((*at)->next)
		at = &(*at)->next;
	drop_occurrence(*at);
	*at = NULL;
	order->count--;
}

static struct occurrence *make_occurrence(struct order *order)
{
	struct occurrence *made = unused_occurrences;

	make_room(order);
	if (made)
		unused_occurrences = made->next;
	else
		made = memory_get(sizeof(*made));
	if (!made)
		return NULL;
	made->next = order->occurrences;
	order->occurrences = made;
	order->count++;
	return made;
}

/* Returns whether a circle that there was not before may now be there. */
static bool add_occurrence(struct order *order, struct party *party,
			   const struct moment *moment, uint64_t held_stack,
			   uint64_t wanted_stack)
{
	struct occurrence *occurrence = find_occurrence(order, party->number);

	moment->clock->uses++;
	if (occurrence) {
		clock_drop(occurrence->moment.clock);
		occurrence->moment = *moment;
		return order->is_ordered;
	}
	occurrence = make_occurrence(order);
	if (!occurrence) {
		clock_drop(moment->clock);
		return false;
	}
	occurrence->moment = *moment;
	occurrence->party = party->number;
	occurrence->tid = party->tid;
	occurrence->held_stack = held_stack;
	occurrence->wanted_stack = wanted_stack;
	return true;
}

/* ---- requests ---- */

/* Returns the locks that the party holds besides one, or NULL. */
static const struct lock_set *others_than(const struct party *party, size_t one)
{
	struct lock_element elements[HELD_MAX];
	size_t count = 0;

	for (size_t i = 0; i < party->count; i++) {
		uintptr_t address = party->held[i].lock;
		struct lock *lock = address && i != one ? lock_get(address) : NULL;

		if (address && i != one && !lock)
			return NULL;
		if (lock)
			elements[count++] =
				(struct lock_element){ lock->number,
						       party->held[i].is_shared };
	}
	return lock_set_get(elements, count);
}

static void add(struct party *party, size_t i, struct lock *to, bool is_shared,
		uint64_t stack, const struct moment *moment)
{
	uintptr_t address = party->held[i].lock;
	struct order wanted = { .to = to,
				.held_is_shared = party->held[i].is_shared,
				.wanted_is_shared = is_shared };
	struct order *order = NULL;

	/* Nothing was recorded when the thread obtained it. */
	if (!address || party->held[i].stack == 0)
		return;
	wanted.from = lock_get(address);
	wanted.others = wanted.from ? others_than(party, i) : NULL;
	if (wanted.others)
		order = get_order(&wanted);
	if (!order)
		atomic_fetch_add(&lost, 1);
	else if (add_occurrence(order, party, moment, party->held[i].stack, stack))
		circles_find(order, find_occurrence(order, party->number));
}

void graph_add(struct party *party, uintptr_t address, bool is_shared, uint64_t stack)
{
	struct moment moment;
	struct lock *to;

	if (!guard_take()) {
		atomic_fetch_add(&lost, 1);
		return;
	}
	to = lock_get(address);
	if (to && clock_mark(party, &moment)) {
		for (size_t i = 0; i < party->count; i++)
			add(party, i, to, is_shared, stack, &moment);
		clock_drop(moment.clock);
	} else {
		atomic_fetch_add(&lost, 1);
	}
	guard_drop();
}

void graph_after_fork(void)
{
	for (size_t i = 0; i < 1 << HASH_BITS && order_count > 0; i++)
		orders[i] = NULL;
	order_count = 0;
	atomic_store(&lost, 0);
	atomic_fetch_add(&graph_generation, 1);
	locks_after_fork();
}
