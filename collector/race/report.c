/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/race/report.h"

#include <stdbool.h>
#include <stddef.h>

#include "collector/sources/conflicts.h"
#include "collector/trace/trace.h"

/* Threads of a circle of locks */
#define CIRCLE_MAX 16

struct tsan report_tsan;
uintptr_t report_low, report_high;
static _Atomic int64_t last_race;

/* A report, as far as it matters */
struct counts {
	const char *description;
	int stacks, accesses, mutexes, threads, unique_threads;
};

static bool read_counts(void *report, struct counts *counts)
{
	void *sleep_trace[1] = { NULL };
	int count, locations;

	return report_tsan.get_data(report, &counts->description, &count, &counts->stacks,
				    &counts->accesses, &locations, &counts->mutexes,
				    &counts->threads, &counts->unique_threads,
				    sleep_trace, 1) != 0;
}

/* The run-time has numbers of its own. */
static int32_t thread_of(void *report, const struct counts *counts, int number)
{
	for (int i = 0; i < counts->threads; i++) {
		int other = -1, is_running, parent;
		uint64_t system_id = 0;
		const char *name;
		void *trace[1] = { NULL };

		report_tsan.get_thread(report, (unsigned long)i, &other, &system_id,
				       &is_running, &name, &parent, trace, 1);
		if (other == number)
			return (int32_t)system_id;
	}
	return 0;
}

/* Returns the number of a stack of return addresses, which ends in zeros. An inlined call
 * has the address of the call that it is in, in a place of its own. */
static uint64_t stack_of(enum data_kind kind, void **trace)
{
	uint64_t pcs[TSAN_DEPTH];
	size_t count = 0;

	for (size_t i = 0; i < TSAN_DEPTH && trace[i]; i++) {
		uint64_t pc = (uint64_t)(uintptr_t)trace[i] - 1;

		if (kind == DATA_DEADLOCK && count == 0 &&
		    pc - report_low < report_high - report_low)
			continue;
		if (count == 0 || pcs[count - 1] != pc)
			pcs[count++] = pc;
	}
	return trace_stack_from(kind, pcs, count);
}

/* ---- races ---- */

static void put_access(void *report, const struct counts *counts, int i, int64_t id,
		       uint64_t now)
{
	void *trace[TSAN_DEPTH] = { NULL }, *address = NULL;
	int thread = 0, size, is_write = 0, is_atomic;
	struct race_packet packet = { .head.time_ns = now, .id = id, .count = 1 };

	report_tsan.get_access(report, (unsigned long)i, &thread, &address, &size,
			       &is_write, &is_atomic, trace, TSAN_DEPTH);
	packet.head.what = is_write ? EXPT_ACCESS_WRITE : EXPT_ACCESS_READ;
	packet.head.thread = thread_of(report, counts, thread);
	packet.stack = stack_of(DATA_RACE, trace);
	packet.address = (uint64_t)(uintptr_t)address;
	trace_returned(DATA_RACE, PACKET_RACE, &packet.head, sizeof(packet),
		       TRACE_OF_ANOTHER);
}

/* The run-time reports races with the same stacks once. */
static void put_race(void *report, const struct counts *counts)
{
	int64_t id = ++last_race;
	uint64_t now = trace_now();

	for (int i = 0; i < counts->accesses && i < 2; i++)
		put_access(report, counts, i, id, now);
}

/* ---- deadlocks ---- */

static uint64_t address_of(void *report, int i)
{
	void *trace[1] = { NULL }, *address = NULL;
	uint64_t id;
	int is_destroyed;

	report_tsan.get_mutex(report, (unsigned long)i, &id, &address, &is_destroyed,
			      trace, 1);
	return (uint64_t)(uintptr_t)address;
}

static void put_lock(void *report, enum expt_lock_kind what, int32_t thread,
		     uint64_t lock, int stack, int64_t id, uint64_t now)
{
	void *trace[TSAN_DEPTH] = { NULL };
	struct deadlock_packet packet = {
		.head = { .what = what, .thread = thread, .time_ns = now },
		.id = id,
		.lock = lock,
		.kind = EXPT_DEADLOCK_POTENTIAL,
	};

	if (stack >= 0)
		report_tsan.get_stack(report, (unsigned long)stack, trace, TSAN_DEPTH);
	packet.stack = stack_of(DATA_DEADLOCK, trace);
	trace_returned(DATA_DEADLOCK, PACKET_DEADLOCK, &packet.head, sizeof(packet),
		       TRACE_OF_ANOTHER);
}

/* Each thread held a mutex and requested the next one. The stacks are those of the
 * requests, or of a request and of the lock that was held. */
static void put_deadlock(void *report, const struct counts *counts)
{
	int count = counts->mutexes < CIRCLE_MAX ? counts->mutexes : CIRCLE_MAX;
	bool has_both = counts->stacks >= 2 * counts->mutexes;
	int64_t id = deadlocks_next_id();
	uint64_t now = trace_now();

	for (int i = 0; i < count; i++) {
		int number = 0;
		int32_t thread;

		report_tsan.get_unique_thread(report, (unsigned long)i, &number);
		thread = thread_of(report, counts, number);
		put_lock(report, EXPT_LOCK_HELD, thread, address_of(report, i),
			 has_both ? 2 * i + 1 : -1, id, now);
		put_lock(report, EXPT_LOCK_REQUESTED, thread,
			 address_of(report, (i + 1) % counts->mutexes),
			 has_both ? 2 * i : i, id, now);
	}
}

/* ---- reports ---- */

void report_take(void *report)
{
	struct counts counts;

	if (!read_counts(report, &counts))
		return;
	if (counts.accesses > 0 && races_are_wanted())
		put_race(report, &counts);
	else if (counts.accesses == 0 && counts.mutexes > 1 && counts.stacks > 1 &&
		 races_want_deadlocks())
		put_deadlock(report, &counts);
}
