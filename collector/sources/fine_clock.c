/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/fine_clock.h"

#include <linux/perf_event.h>
#include <sys/resource.h>

#include "collector/base/debugger.h"
#include "collector/base/system.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/signals.h"
#include "collector/sources/overflow.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* With more switches the event costs a noticeable part of a thread's time: starting it
 * programs the processor's timer, which is slow in a virtual machine. */
#define SWITCHES_PER_MS 2
/* Reviews in a row with fewer switches, after which the event is opened again: a program
 * that alternates between calm and busy pays for one tick in this many. */
#define CALM_REVIEWS 32
/* The random periods at a thread's beginning, 0.15 to 0.45 ms, and their number: some 10
 * ms in all. An event costs some 3 us. */
#define START_PERIOD_MIN_NS  150000
#define START_PERIOD_SPAN_NS 300000
#define START_EVENTS	     32
/* Making an event takes as long as making a thread. After this many threads in a row that
 * ended before their first event, only one thread in this many gets one. */
#define EARLY_ENDS 8
static _Atomic unsigned early_ends;

static uint64_t period;

static bool is_possible(void)
{
	return !debugger_is_there() && signals_take_overflows();
}

static void open_event(struct thread *thread)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = thread->fine_period_ns,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	overflow_open(&thread->fine_clock, &event);
}

static uint64_t count_switches(void)
{
	struct rusage usage = { 0 };

	sys_getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

void fine_clock_learn(uint64_t used_ns)
{
	if (used_ns >= START_PERIOD_MIN_NS)
		atomic_store(&early_ends, 0);
	else if (used_ns > 0)
		atomic_fetch_add(&early_ends, 1);
}

/* random decides, and not a count, so that no kind of thread is always passed by. The
 * first thread of a process has none: most processes that are made by a fork do little
 * before they end or execute. */
static bool is_worth_it(const struct thread *thread, uint32_t random)
{
	return thread->tid != process.pid && (atomic_load(&early_ends) < EARLY_ENDS ||
					      random < UINT32_MAX / EARLY_ENDS);
}

static uint64_t start_period_ns(uint32_t random)
{
	return START_PERIOD_MIN_NS + ((uint64_t)random * START_PERIOD_SPAN_NS >> 32);
}

static void say_how(const struct thread *thread)
{
	static _Atomic bool is_told;

	if (!atomic_exchange(&is_told, true))
		log_message("comment", EXPT_COMMENT,
			    fine_clock_is_open(thread)
				    ? "clock: the kernel's task-clock, and each thread's "
				      "timer"
				    : "clock: each thread's timer, which has the "
				      "kernel's tick",
			    0);
}

void fine_clock_open(struct thread *thread, uint64_t period_ns, uint64_t tick_ns,
		     uint32_t random)
{
	period = period_ns < tick_ns ? period_ns : 0;
	thread->starting = 0;
	thread->fine_count_ns = 0;
	if ((period == 0 && !is_worth_it(thread, random)) || !is_possible())
		return;
	thread->fine_period_ns = period != 0 ? period : start_period_ns(random);
	open_event(thread);
	if (period == 0) {
		thread->starting = fine_clock_is_open(thread) ? START_EVENTS : 0;
		return;
	}
	thread->switches = count_switches();
	thread->calm_reviews = 0;
	say_how(thread);
}

void fine_clock_close(struct thread *thread)
{
	overflow_close(&thread->fine_clock, &thread->is_handling);
}

bool fine_clock_is_open(const struct thread *thread)
{
	return atomic_load(&thread->fine_clock.ring) != NULL;
}

uint64_t fine_clock_resolution_ns(const struct thread *thread)
{
	return thread->starting > 0 ? 4 * thread->fine_period_ns : UINT64_MAX;
}

/* Close the event in the thread's own handler, which is in use. */
static void close_event(struct thread *thread)
{
	const _Atomic bool is_handling = false;

	overflow_close(&thread->fine_clock, &is_handling);
}

/* The event counts the kernel's time, too. Part of it belongs to where the event occurs
 * next. */
static uint64_t time_at_start(struct thread *thread, uint64_t count_ns)
{
	uint64_t since = count_ns - thread->fine_count_ns;
	uint64_t limit = fine_clock_resolution_ns(thread);

	thread->fine_count_ns = count_ns;
	return since < limit ? since : limit;
}

uint64_t fine_clock_take(struct thread *thread, bool is_tick)
{
	struct overflow_record record;
	uint64_t time_ns = 0;
	unsigned events = is_tick ? START_EVENTS : 0;

	for (; overflow_next(&thread->fine_clock, &record); events++)
		time_ns += thread->starting > 0 ? time_at_start(thread, record.count)
						: thread->fine_period_ns;
	if (thread->starting == 0 || collector_is_frozen())
		return time_ns;
	thread->starting -= events < thread->starting ? events : thread->starting;
	if (thread->starting == 0)
		close_event(thread);
	return time_ns;
}

void fine_clock_review(struct thread *thread, uint64_t periods)
{
	uint64_t switches, limit;
	bool is_calm;

	if (period == 0 || !is_possible())
		return;
	switches = count_switches();
	limit = periods * period * SWITCHES_PER_MS / 1000000;
	is_calm = switches - thread->switches <= limit;
	thread->switches = switches;
	thread->calm_reviews = is_calm ? thread->calm_reviews + 1 : 0;
	if (!is_calm && fine_clock_is_open(thread))
		close_event(thread);
	else if (thread->calm_reviews == CALM_REVIEWS && !fine_clock_is_open(thread))
		open_event(thread);
}
