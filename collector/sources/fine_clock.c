/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/fine_clock.h"

#include <linux/perf_event.h>
#include <sys/resource.h>

#include "collector/base/debugger.h"
#include "collector/base/overflow.h"
#include "collector/base/system.h"
#include "collector/files/log.h"
#include "collector/signals/signals.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* With more the event costs a noticeable part of a thread's time: starting it programs the processor's timer, which
 * is slow in a virtual machine. */
#define SWITCHES_PER_MS 2
/* Reviews in a row with fewer switches, after which the event is opened again: a program that is calm and busy in
 * turn pays for one tick in so many. */
#define CALM_REVIEWS 32

static uint64_t period;

static bool is_possible(void)
{
	return period != 0 && !debugger_is_there() && signals_take_overflows();
}

static void open_event(struct thread *thread)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period,
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

void fine_clock_open(struct thread *thread, uint64_t period_ns, uint64_t tick_ns)
{
	static _Atomic bool is_told;

	period = period_ns < tick_ns ? period_ns : 0;
	if (!is_possible())
		return;
	open_event(thread);
	thread->switches = count_switches();
	thread->calm_reviews = 0;
	if (!atomic_exchange(&is_told, true))
		log_message("comment", EXPT_COMMENT,
			    fine_clock_is_open(thread)
				    ? "clock: the kernel's task-clock, and each thread's "
				      "timer"
				    : "clock: each thread's timer, which has the "
				      "kernel's tick",
			    0);
}

void fine_clock_close(struct thread *thread)
{
	overflow_close(&thread->fine_clock, &thread->is_handling);
}

bool fine_clock_is_open(const struct thread *thread)
{
	return atomic_load(&thread->fine_clock.ring) != NULL;
}

uint64_t fine_clock_take(struct thread *thread)
{
	struct overflow_record record;
	uint64_t periods = 0;

	while (overflow_next(&thread->fine_clock, &record))
		periods++;
	return periods;
}

/* The handler is in use: by this very thread. */
static void close_event(struct thread *thread)
{
	const _Atomic bool is_handling = false;

	overflow_close(&thread->fine_clock, &is_handling);
}

void fine_clock_review(struct thread *thread, uint64_t periods)
{
	uint64_t switches, limit;
	bool is_calm;

	if (!is_possible())
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
