/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/order.h"

#include "collector/deadlock/clock.h"
#include "collector/deadlock/graph.h"
#include "collector/deadlock/guard.h"
#include "collector/deadlock/hang.h"
#include "collector/deadlock/party.h"
#include "collector/deadlock/report.h"
#include "collector/sources/conflicts.h"
#include "collector/trace/trace.h"

static bool is_wanted;

/* Returns the calling thread's record; NULL: do nothing. */
static inline struct party *get_party(void)
{
	struct party *party = party_own;

	if (__builtin_expect(!is_wanted, 0))
		return NULL;
	if (__builtin_expect(!party, 0))
		party = party_begin();
	return party && !party->is_busy ? party : NULL;
}

/* ---- requests ---- */

bool order_ask(struct request *request, const volatile void *lock, bool is_shared,
	       const void *frame)
{
	struct party *party = get_party();

	if (!party)
		return false;
	/* A jump out of a handler has left the call that waited. */
	if (__builtin_expect(party->wanted != 0, 0))
		party_want(party, 0, false, 0);
	party->is_busy = true;
	request->party = party;
	request->lock = (uintptr_t)lock;
	request->is_shared = is_shared;
	request->is_noted = false;
	request->is_joining = false;
	request->stack = trace_stack_of(DATA_DEADLOCK, frame);
	party->is_busy = false;
	return true;
}

bool order_ask_end(struct request *request, unsigned long thread, const void *frame)
{
	if (!order_ask(request, (const volatile void *)thread, false, frame))
		return false;
	request->is_noted = true;
	return true;
}

/* Tell the graph, unless it knows: a request is the same if the thread holds the same
 * locks and nothing new has come before it. */
static void note(struct request *request)
{
	struct party *party = request->party;
	uint64_t key = party_mix(party->held_key) + request->lock + request->is_shared;
	uint64_t *known;

	key = party_mix(key ^ (uint64_t)party->epoch << 32 ^
			atomic_load_explicit(&graph_generation, memory_order_relaxed));
	known = &party->known[key >> (64 - KNOWN_BITS)];
	if (*known == key)
		return;
	party->is_busy = true;
	graph_add(party, request->lock, request->is_shared, request->stack);
	*known = key;
	party->is_busy = false;
}

static inline void note_once(struct request *request)
{
	if (request->party->count == 0 || request->is_noted || request->stack == 0)
		return;
	request->is_noted = true;
	if (party_find(request->party, request->lock) == NOT_HELD)
		note(request);
}

/* Threads that wait for the end of others while they hold locks */
static _Atomic unsigned joining;

/* A thread that holds nothing may keep one of these waiting. */
static bool may_be_waited_for(const struct party *party)
{
	return party->count > 0 || atomic_load(&joining) > 0;
}

void order_wait(struct request *request, unsigned how)
{
	struct party *party = request->party;

	if (request->stack == 0)
		return;
	request->is_joining = (how & ORDER_JOINS) != 0 && party->count > 0;
	if (request->is_joining)
		atomic_fetch_add(&joining, 1);
	atomic_store(&party->is_spinning, (how & ORDER_SPINS) != 0);
	party_want(party, request->lock, request->is_shared, request->stack);
	if (may_be_waited_for(party)) {
		party->is_busy = true;
		hang_check(party, (how & ORDER_MAY_HANG_ALONE) != 0);
		party->is_busy = false;
	}
	note_once(request);
}

void order_waited(struct request *request)
{
	if (request->party->wanted != 0)
		party_want(request->party, 0, false, 0);
	if (request->is_joining)
		atomic_fetch_sub(&joining, 1);
	request->is_joining = false;
}

static inline void push(struct request *request)
{
	struct party *party = request->party;
	size_t i = party->count > 0 ? party_find(party, request->lock) : NOT_HELD;

	if (__builtin_expect(i != NOT_HELD, 0))
		party->held[i].depth++;
	else
		party_push(party, request->lock, request->is_shared, request->stack);
}

static void pass_gate(struct request *request);

void order_got(struct request *request)
{
	if (__builtin_expect(!clock_is_no_gate(request->lock), 0))
		pass_gate(request);
	note_once(request);
	push(request);
}

void order_got_in_time(struct request *request)
{
	push(request);
}

bool order_release(const volatile void *lock)
{
	struct party *party = get_party();

	return !party || party_pop(party, (uintptr_t)lock);
}

void order_released_for_other(const volatile void *lock)
{
	struct party *party = get_party();

	if (party)
		party_pop_of_other((uintptr_t)lock);
}

/* ---- with the guard ---- */

/* Returns the party if there is something to do that needs the guard, which is taken. */
static struct party *enter(bool is_needed)
{
	struct party *party = is_needed ? get_party() : NULL;

	if (!party)
		return NULL;
	party->is_busy = true;
	if (guard_take())
		return party;
	party->is_busy = false;
	return NULL;
}

static void leave(struct party *party)
{
	guard_drop();
	party->is_busy = false;
}

static void pass_gate(struct request *request)
{
	struct party *party = enter(clock_is_used());

	if (!party)
		return;
	clock_acquire_from_gate(party, request->lock);
	leave(party);
}

void order_forget(const volatile void *object)
{
	struct party *party = enter(clock_is_used());

	if (!party)
		return;
	graph_forget((uintptr_t)object);
	clock_forget_object((uintptr_t)object);
	leave(party);
}

void order_hand_over(const volatile void *object)
{
	struct party *party = enter(clock_is_used());

	if (!party)
		return;
	clock_release_to(party, (uintptr_t)object);
	leave(party);
}

void order_forget_block(const void *block, size_t size)
{
	struct party *party;

	if (lock_is_none_in((uintptr_t)block, size))
		return;
	party = enter(true);
	if (!party)
		return;
	graph_forget_block((uintptr_t)block, size);
	leave(party);
}

bool order_is_used(void)
{
	return clock_is_used();
}

/* The mutex of a condition variable is one that the thread holds, or has just released.
 */
static uintptr_t gate_of(const struct party *party)
{
	return party->count > 0 ? party->held[party->count - 1].lock : party->released;
}

void order_signal(const volatile void *condition)
{
	struct party *party = enter(clock_is_used());

	if (!party)
		return;
	clock_release_to(party, (uintptr_t)condition);
	clock_release_to_gate(party, gate_of(party));
	leave(party);
}

void order_take_over(const volatile void *object)
{
	struct party *party = enter(clock_is_used());

	if (!party)
		return;
	clock_acquire_from(party, (uintptr_t)object);
	leave(party);
}

struct joined order_find(unsigned long thread)
{
	struct party *party = enter(true);
	struct joined joined = { thread, NULL, 0 };

	if (!party)
		return joined;
	joined.party = party_of(thread);
	joined.number = joined.party ? joined.party->number : 0;
	leave(party);
	return joined;
}

/* Another thread may have the same number by now, but it still runs. */
void order_join(const struct joined *joined)
{
	struct party *party = enter(clock_is_used()), *other = joined->party;

	if (!party)
		return;
	if (!other)
		other = party_of(joined->thread);
	if (other && !atomic_load(&other->is_live) &&
	    (!joined->party || other->number == joined->number)) {
		clock_acquire(party, other->clock);
		party_joined(other);
	}
	leave(party);
}

/* ---- what libcollector.so tells ---- */

static void *thread_begins(void)
{
	struct party *party = enter(clock_is_used());
	struct clock *clock = NULL;

	if (party) {
		clock = clock_release(party);
		leave(party);
	}
	return clock;
}

static void process_forked(void)
{
	guard_reset();
	party_after_fork();
	clock_after_fork();
	graph_after_fork();
	report_after_fork();
	atomic_store(&joining, 0);
}

static unsigned lost(void)
{
	unsigned count = graph_lost();

	for (const struct party *at = party_first(); at; at = at->next)
		count += at->lost;
	return count;
}

extern const char __ehdr_start[], etext[] __attribute__((visibility("hidden")));

__attribute__((constructor)) static void tell(void)
{
	static struct deadlock_hooks hooks = {
		.thread_begins = thread_begins,
		.thread_ends = party_end,
		.process_forked = process_forked,
		.lost = lost,
	};

	hooks.low = (uintptr_t)__ehdr_start;
	hooks.high = (uintptr_t)etext;
	deadlocks_tell(&hooks, &is_wanted, &hang_action);
}
