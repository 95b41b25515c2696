/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/party.h"

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/deadlock/clock.h"
#include "collector/deadlock/guard.h"
#include "collector/trace/trace.h"

/* The records of so many threads that ended are kept for threads that join them. */
#define ENDED_MAX 256

__thread struct party *party_own;
static __thread bool is_over;
static _Atomic(struct party *) all;
static _Atomic uint32_t numbers;
static pthread_t forker; /* what it inherited is of another process */
/* Ended ones, the oldest first, and those that no thread can join any more */
static struct party *oldest, *youngest, *unused;
static size_t ended_count;

/* ---- begin and end ---- */

static void link_in(struct party *party)
{
	party->next = atomic_load(&all);
	while (!atomic_compare_exchange_weak(&all, &party->next, party))
		;
}

static void take_out(struct party *party)
{
	struct party *before = NULL;

	for (struct party *at = oldest; at; before = at, at = at->next_ended) {
		if (at != party)
			continue;
		*(before ? &before->next_ended : &oldest) = at->next_ended;
		if (youngest == at)
			youngest = before;
		ended_count--;
		return;
	}
}

static struct party *take_unused(void)
{
	struct party *party = unused;

	if (party) {
		unused = party->next_ended;
	} else if (ended_count > ENDED_MAX) {
		party = oldest;
		take_out(party);
		clock_forget(party);
		atomic_store(&party->number, 0);
	}
	return party;
}

static struct party *get(void)
{
	struct party *party;

	if (!guard_take())
		return NULL;
	party = take_unused();
	guard_drop();
	if (party)
		return party;
	party = memory_get(sizeof(*party));
	if (party)
		link_in(party);
	return party;
}

struct party *party_begin(void)
{
	struct party *party;

	if (is_over)
		return NULL;
	party = get();
	if (!party)
		return NULL;
	party->id = pthread_self();
	party->tid = sys_gettid();
	party->count = party->lost = 0;
	party->held_key = 0;
	party->is_busy = false;
	party->slot = SLOT_NONE;
	party->is_marked = party->must_advance = false;
	party->released = 0;
	party->epoch++;
	party->clock = party->id == forker ? NULL : trace_inherited();
	atomic_store(&party->wanted, 0);
	atomic_store(&party->is_live, true);
	atomic_store(&party->number, atomic_fetch_add(&numbers, 1) + 1);
	party_own = party;
	return party;
}

void party_end(void)
{
	struct party *party = party_own;

	is_over = true;
	if (!party)
		return;
	party->is_busy = true;
	atomic_store(&party->is_live, false);
	party_own = NULL;
	if (!guard_take())
		return;
	clock_end(party);
	party->next_ended = NULL;
	*(youngest ? &youngest->next_ended : &oldest) = party;
	youngest = party;
	ended_count++;
	guard_drop();
}

void party_joined(struct party *party)
{
	take_out(party);
	clock_forget(party);
	atomic_store(&party->number, 0);
	party->next_ended = unused;
	unused = party;
}

struct party *party_first(void)
{
	return atomic_load(&all);
}

/* A number may have been used before: the youngest record is meant. */
struct party *party_of(pthread_t id)
{
	struct party *found = NULL;

	for (struct party *at = party_first(); at; at = at->next)
		if (at->number != 0 && pthread_equal(at->id, id) &&
		    (!found || at->number > found->number))
			found = at;
	return found;
}

void party_after_fork(void)
{
	struct party *party = party_own;

	forker = pthread_self();
	oldest = youngest = unused = NULL;
	ended_count = 0;
	atomic_store(&all, party);
	if (!party)
		return;
	party->next = NULL;
	party->tid = sys_gettid();
	party->count = party->lost = 0;
	party->held_key = 0;
	party->clock = NULL;
	party->slot = SLOT_NONE;
	party->is_marked = party->must_advance = party->is_busy = false;
	party->epoch++;
	atomic_store(&party->wanted, 0);
}

/* ---- changes ---- */

static inline unsigned begin_change(struct party *party)
{
	unsigned changes = atomic_load_explicit(&party->changes, memory_order_relaxed);

	atomic_store_explicit(&party->changes, changes + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	return changes + 2;
}

static inline void end_change(struct party *party, unsigned changes)
{
	atomic_store_explicit(&party->changes, changes, memory_order_release);
}

static inline uintptr_t lock_at(const struct party *party, size_t i)
{
	return atomic_load_explicit(&party->held[i].lock, memory_order_relaxed);
}

size_t party_find(const struct party *party, uintptr_t lock)
{
	for (size_t i = party->count; i-- > 0;)
		if (lock_at(party, i) == lock)
			return i;
	return NOT_HELD;
}

/* Drop entries that others have released. */
static void compact(struct party *party)
{
	size_t kept = 0;

	for (size_t i = 0; i < party->count; i++) {
		if (lock_at(party, i) == 0) {
			party->held_key -= party->held[i].key;
			continue;
		}
		if (kept < i)
			party->held[kept] = party->held[i];
		kept++;
	}
	party->count = (unsigned)kept;
}

void party_push(struct party *party, uintptr_t lock, bool is_shared, uint64_t stack)
{
	unsigned changes = begin_change(party), count = party->count;
	struct held *held;

	if (__builtin_expect(count > 0 && lock_at(party, count - 1) == 0, 0) ||
	    count == HELD_MAX)
		compact(party);
	count = party->count;
	if (count == HELD_MAX) {
		party->lost++;
		end_change(party, changes);
		return;
	}
	held = &party->held[count];
	held->stack = stack;
	held->key = party_mix(lock ^ is_shared);
	held->depth = 1;
	held->is_shared = is_shared;
	atomic_store_explicit(&held->lock, lock, memory_order_relaxed);
	party->held_key += held->key;
	atomic_store_explicit(&party->count, count + 1, memory_order_relaxed);
	end_change(party, changes);
}

bool party_pop(struct party *party, uintptr_t lock)
{
	size_t i = party_find(party, lock), count = party->count;
	unsigned changes;

	if (i == NOT_HELD)
		return false;
	changes = begin_change(party);
	party->released = lock;
	if (--party->held[i].depth == 0) {
		party->held_key -= party->held[i].key;
		for (; i + 1 < count; i++)
			party->held[i] = party->held[i + 1];
		atomic_store_explicit(&party->count, (unsigned)count - 1,
				      memory_order_relaxed);
	}
	end_change(party, changes);
	return true;
}

/* Returns false if the owner changed the entries at the same time. */
static bool release_in(struct party *party, uintptr_t lock)
{
	unsigned changes = atomic_load(&party->changes);

	for (size_t i = 0; i < HELD_MAX && i < party->count; i++) {
		uintptr_t expected = lock;

		if (atomic_compare_exchange_strong(&party->held[i].lock, &expected, 0))
			break;
	}
	return changes % 2 == 0 && atomic_load(&party->changes) == changes;
}

void party_pop_of_other(uintptr_t lock)
{
	for (struct party *at = party_first(); at; at = at->next)
		if (atomic_load(&at->is_live))
			for (int tries = 0; tries < 100 && !release_in(at, lock); tries++)
				__builtin_ia32_pause();
}

void party_want(struct party *party, uintptr_t lock, bool is_shared, uint64_t stack)
{
	unsigned changes = begin_change(party);

	party->wanted_stack = stack;
	atomic_store_explicit(&party->wants_shared, is_shared, memory_order_relaxed);
	atomic_store(&party->wanted, lock);
	end_change(party, changes);
	atomic_thread_fence(memory_order_seq_cst);
}
