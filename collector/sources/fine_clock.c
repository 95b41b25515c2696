/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/fine_clock.h"

#include <linux/perf_event.h>
#include <sys/resource.h>

#include "collector/base/debugger.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/overflow.h"
#include "collector/signals/signals.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* With more switches the event costs a noticeable part of a thread's time: starting it
 * programs the processor's timer, which is slow in a virtual machine. Where processors
 * are shared there are many for some milliseconds, and hardly any for others, so that
 * many are left over. */
#define SWITCHES_PER_MS	    2
#define SPARE_SWITCHES	    32
#define PART_OF_INTERRUPTED 4 /* counts as one switch */
/* A switch costs so much of the spare time, below. */
#define SWITCH_NS (1000000 / SWITCHES_PER_MS)
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
/* The kernel keeps the state of an event for the life of the thread, and checks it at
 * every context switch, which is expensive for a thread that mostly switches. So the
 * first threads and children start without one, until they are seen to use CPU time.
 * Threads that are created in large numbers may be short-lived, and get one immediately.
 */
#define FIRST_WITHOUT 2
static _Atomic unsigned begun; /* threads of this program */

static uint64_t period;

static _Atomic bool is_prepared, is_told;

void fine_clock_prepare(void)
{
	if (!atomic_load(&is_prepared))
		atomic_store(&is_prepared, overflow_prepare());
}

void fine_clock_forget(void)
{
	atomic_store(&early_ends, 0);
	atomic_store(&begun, 0);
	atomic_store(&is_prepared, false);
	atomic_store(&is_told, false);
}

static bool is_possible(void)
{
	return atomic_load(&is_prepared) && !debugger_is_there();
}

static void say_how(const struct thread *thread)
{
	if (!atomic_exchange(&is_told, true))
		log_message("comment", EXPT_COMMENT,
			    fine_clock_is_open(thread)
				    ? "clock: the kernel's task-clock, and each thread's "
				      "timer"
				    : "clock: each thread's timer, at the resolution "
				      "of the kernel's tick",
			    0);
}

static void open_event(struct thread *thread, uint64_t period_ns)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period_ns,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	thread->fine_period_ns = period_ns;
	overflow_open(&thread->fine_clock, &event, false);
	if (period != 0)
		say_how(thread);
}

/* A thread that other ones interrupt is not a thread that mostly switches: it switches at
 * the end of its slices, or as often as others wake up. */
static uint64_t count_switches(void)
{
	struct rusage usage = { 0 };

	sys_getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw / PART_OF_INTERRUPTED;
}

void fine_clock_learn(uint64_t used_ns, bool has_samples)
{
	if (has_samples || used_ns >= START_PERIOD_MIN_NS)
		atomic_store(&early_ends, 0);
	else if (used_ns > 0)
		atomic_fetch_add(&early_ends, 1);
	if (!has_samples && used_ns >= START_PERIOD_MIN_NS)
		atomic_store(&begun, FIRST_WITHOUT);
}

/* Returns which child of its parent this process is, from its lineage. */
static uint64_t number_of_child(void)
{
	const char *at = process.lineage;
	uint64_t number = 0;

	while (*at == '_') {
		bool is_exec = at[1] == LINEAGE_EXEC;
		uint64_t parsed = text_parse_decimal(at + 2, &at);

		number = is_exec ? number : parsed;
	}
	return number;
}

/* random decides, and not a count, so that no kind of thread is always passed by. */
static bool is_worth_it(uint32_t random)
{
	return atomic_load(&early_ends) < EARLY_ENDS || random < UINT32_MAX / EARLY_ENDS;
}

/* With a period of the tick or more the first thread of a process never does: most
 * processes that are made by a fork do little before they end or execute. */
static bool begins_with_event(const struct thread *thread, uint32_t random)
{
	if (thread->tid == process.pid)
		return period != 0 && number_of_child() > FIRST_WITHOUT;
	return atomic_fetch_add(&begun, 1) >= FIRST_WITHOUT &&
	       (period != 0 || is_worth_it(random));
}

static uint64_t start_period_ns(uint32_t random)
{
	uint64_t start =
		START_PERIOD_MIN_NS + ((uint64_t)random * START_PERIOD_SPAN_NS >> 32);

	return period != 0 && period < start ? period : start;
}

void fine_clock_open(struct thread *thread, uint64_t period_ns, uint64_t tick_ns,
		     uint32_t random)
{
	bool begins;

	period = period_ns < tick_ns ? period_ns : 0;
	thread->starting = 0;
	thread->fine_count_ns = 0;
	thread->calm_reviews = CALM_REVIEWS - 1;
	thread->spare_ns = SPARE_SWITCHES * SWITCH_NS;
	begins = begins_with_event(thread, random);
	if (period == 0 && !begins)
		return;
	fine_clock_prepare();
	if (period != 0)
		thread->switches = count_switches();
	if (!is_possible() || !begins)
		return;
	open_event(thread, start_period_ns(random));
	if (fine_clock_is_open(thread) && thread->fine_period_ns != period)
		thread->starting = START_EVENTS;
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
		overflow_close_in_handler(&thread->fine_clock);
	return time_ns;
}

void fine_clock_review(struct thread *thread, uint64_t periods)
{
	uint64_t switches, spare, spent;
	bool is_calm;

	if (period == 0 || !is_possible())
		return;
	switches = count_switches();
	spare = thread->spare_ns + periods * period;
	spent = (switches - thread->switches) * SWITCH_NS;
	is_calm = spent <= spare;
	spare = is_calm ? spare - spent : 0;
	thread->spare_ns =
		spare < SPARE_SWITCHES * SWITCH_NS ? spare : SPARE_SWITCHES * SWITCH_NS;
	thread->switches = switches;
	thread->calm_reviews = is_calm ? thread->calm_reviews + 1 : 0;
	if (!is_calm && fine_clock_is_open(thread))
		overflow_close_in_handler(&thread->fine_clock);
	else if (thread->calm_reviews == CALM_REVIEWS && !fine_clock_is_open(thread))
		open_event(thread, period);
	/* Another thread that has ended the recording meanwhile has found no event to
	 * close: its signals would come when there is no handler any more. */
	if (!collector_is_recording())
		overflow_close_in_handler(&thread->fine_clock);
}
