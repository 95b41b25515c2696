/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/other_threads.h"

#include <stdatomic.h>
#include <time.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/experiment/experiment.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/sources/clock_packet.h"
#include "collector/threads/cpu_timer.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

static uint64_t period; /* 0: no clock profile */
static _Atomic uint64_t ended_ns, taken_ns, recorded_ns;

void other_threads_add_ended(uint64_t cpu_ns)
{
	atomic_fetch_add(&ended_ns, cpu_ns);
}

/* A thread that ended unseen has no clock, but its settled time is known. */
static uint64_t time_of(const struct thread *thread)
{
	uint64_t cpu = cpu_clock_ns(thread->tid, CPU_CLOCK_PRECISE);
	uint64_t settled = atomic_load(&thread->settled_ns);

	return cpu != 0 || settled == UINT64_MAX ? cpu : settled;
}

/* Read the process's clock first: time that known threads use in between must not count
 * as time of others. */
static int64_t time_of_others(void)
{
	uint64_t all = sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	all -= atomic_load(&ended_ns);
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live))
			all -= time_of(thread);
	return (int64_t)all;
}

void other_threads_start(uint64_t period_ns, uint64_t phase_ns)
{
	period = period_ns;
	atomic_store(&ended_ns, 0);
	atomic_store(&recorded_ns, 0);
	atomic_store(&taken_ns, (uint64_t)time_of_others() - phase_ns);
}

void other_threads_forget(void)
{
	period = 0;
	atomic_store(&recorded_ns, 0);
}

bool other_threads_are_counted(void)
{
	return period != 0;
}

static uint64_t take_periods(void)
{
	uint64_t taken = atomic_load(&taken_ns), time_ns;
	int64_t all = time_of_others();

	do {
		int64_t left = all - (int64_t)taken;

		if (left < (int64_t)period)
			return 0;
		time_ns = (uint64_t)left - (uint64_t)left % period;
	} while (!atomic_compare_exchange_weak(&taken_ns, &taken, taken + time_ns));
	return time_ns;
}

/* The time is recorded as that of a thread without a number. */
void other_threads_settle(uint64_t now, bool is_recorded)
{
	struct thread *self = thread_self;
	uint64_t time_ns, stack;

	if (period == 0 || collector_is_frozen() || !self)
		return;
	time_ns = take_periods();
	if (time_ns == 0 || !is_recorded || !experiment_materialise())
		return;
	stack = clock_stack_other_threads(&self->in_handler);
	clock_put_both(self, 0, now, stack, 0, time_ns);
	atomic_fetch_add(&recorded_ns, time_ns);
}

void other_threads_end(void)
{
	char buffer[128];
	struct text message = TEXT_ON(buffer);
	uint64_t time = atomic_exchange(&recorded_ns, 0);

	period = 0;
	if (time == 0)
		return;
	text_add(&message, "clock: ");
	text_add_time(&message, time);
	text_add(
		&message,
		" s were used by threads that are not sampled, such as io_uring workers");
	log_message("comment", EXPT_COMMENT, buffer, 0);
}
