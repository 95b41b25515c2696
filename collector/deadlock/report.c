/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/report.h"

#include <stddef.h>

#include "collector/deadlock/graph.h"
#include "collector/deadlock/party.h"
#include "collector/sources/conflicts.h"
#include "collector/trace/trace.h"

/* More deadlocks are not for people. */
#define REPORTS_MAX 1000
#define KEYS_MAX    (4 * REPORTS_MAX)

static uint64_t keys[KEYS_MAX];
static unsigned key_count, report_count;

static bool is_new(uint64_t key)
{
	for (unsigned i = 0; i < key_count; i++)
		if (keys[i] == key)
			return false;
	if (key_count == KEYS_MAX)
		return false;
	keys[key_count++] = key;
	return true;
}

/* Part of the key of a deadlock, which is their sum: it does not matter which one comes
 * first. */
static uint64_t key_of(uint64_t held_stack, uint64_t wanted_stack)
{
	return party_mix(party_mix(held_stack) + wanted_stack);
}

static bool put(int64_t id, enum expt_deadlock_kind kind, enum expt_lock_kind what,
		const struct blocked *thread)
{
	struct deadlock_packet packet = {
		.head = { .what = what, .thread = thread->tid, .time_ns = trace_now() },
		.stack = what == EXPT_LOCK_HELD ? thread->held_stack
						: thread->wanted_stack,
		.id = id,
		.lock = what == EXPT_LOCK_HELD ? thread->held : thread->wanted,
		.kind = kind,
	};

	return trace_returned(DATA_DEADLOCK, PACKET_DEADLOCK, &packet.head,
			      sizeof(packet), TRACE_OF_ANOTHER);
}

static bool put_thread(int64_t id, enum expt_deadlock_kind kind,
		       const struct blocked *thread)
{
	return (thread->held_stack == 0 || put(id, kind, EXPT_LOCK_HELD, thread)) &&
	       put(id, kind, EXPT_LOCK_REQUESTED, thread);
}

bool report_potential(const struct circle *circle)
{
	uint64_t key = 0;
	int64_t id;

	if (deadlocks_are_left())
		return false;
	for (unsigned i = 0; i < circle->count; i++)
		key += key_of(circle->occurrences[i]->held_stack,
			      circle->occurrences[i]->wanted_stack);
	if (report_count == REPORTS_MAX || !is_new(key))
		return false;
	report_count++;
	id = deadlocks_next_id();
	for (unsigned i = 0; i < circle->count; i++) {
		const struct order *order = circle->orders[i];
		const struct occurrence *occurrence = circle->occurrences[i];

		put_thread(id, EXPT_DEADLOCK_POTENTIAL,
			   &(struct blocked){ occurrence->tid, order->from->address,
					      order->to->address, occurrence->held_stack,
					      occurrence->wanted_stack });
	}
	return true;
}

bool report_actual(const struct blocked *threads, unsigned count)
{
	uint64_t stacks = 0, all = 1;
	bool is_recorded = true;
	int64_t id;

	for (unsigned i = 0; i < count; i++) {
		uint64_t key = key_of(threads[i].held_stack, threads[i].wanted_stack);

		stacks += key;
		all += party_mix(key ^ (uint64_t)(uint32_t)threads[i].tid << 32 ^
				 threads[i].wanted);
	}
	if (!is_new(all))
		return false;
	is_new(stacks);
	id = deadlocks_next_id();
	for (unsigned i = 0; i < count && is_recorded; i++)
		is_recorded = put_thread(id, EXPT_DEADLOCK_ACTUAL, &threads[i]);
	return is_recorded;
}

void report_after_fork(void)
{
	key_count = report_count = 0;
}
