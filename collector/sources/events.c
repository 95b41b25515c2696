/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One signal may count for several overflows: the kernel keeps only one pending. So every
 * signal of an event takes all overflows of the thread, with one stack for all.
 */

#include "collector/sources/events.h"

#include "collector/base/system.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/samples.h"
#include "collector/experiment/window.h"
#include "collector/process/guard.h"
#include "collector/process/own_time.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/signals/overflow.h"
#include "collector/signals/restart.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/sources/adopt.h"
#include "collector/sources/clock.h"
#include "collector/sources/counters.h"
#include "collector/sources/openmp.h"
#include "collector/sources/other_threads.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"
#include "collector/unwind/x86_64.h"

bool events_is_ours(const siginfo_t *info)
{
	return clock_is_tick(info) || adopt_is_signal(info) || overflow_is_signal(info);
}

/* Do nothing without an overflow: the handler's own overflows are not the program's, and
 * a walk that causes some would cause the next signal. */
static void record(struct thread *thread, ucontext_t *context, uint64_t time_ns)
{
	struct counter_overflow overflow;
	bool has_overflow;
	uint64_t now, stack;

	overflow.counter = 0;
	has_overflow = counters_take(thread, &overflow);
	now = collector_now();
	if (time_ns == 0 && !has_overflow)
		return;
	if (!collector_is_in_window(now) || !collector_takes_event_at(thread, now)) {
		counters_drop(thread);
		return;
	}
	if (!experiment_materialise()) {
		clock_defer(thread, time_ns);
		return;
	}
	stack = stacks_interrupted(thread, context);
	openmp_record(thread, now);
	if (time_ns > 0)
		clock_record(thread, now, stack, time_ns);
	for (; has_overflow; has_overflow = counters_take(thread, &overflow))
		counters_record(thread, &overflow, now, stack, context);
	if (sample_is_due(now)) {
		other_threads_settle(now, true);
		sample_if_due(now);
	}
}

/* The limits of -t apply in a pause, too. */
static void sample_in_pause(void)
{
	uint64_t now = collector_now();

	if (!collector_takes_samples())
		return;
	collector_is_in_window(now);
	sample_if_due(now);
}

bool events_take(const siginfo_t *info, ucontext_t *context)
{
	struct thread *thread = thread_self;
	bool is_measured;
	uint64_t time_ns;

	if (adopt_is_last_signal(info, context)) {
		restart_interrupted_call(context, true);
		return true;
	}
	if (!events_is_ours(info))
		return false;
	if (!thread || thread_is_stale(thread))
		thread = adopt_in_handler(context);
	if (!thread) {
		restart_interrupted_call(context, true);
		return true;
	}
	/* This signal was delivered before a fault of the collector's own walk: leave its
	 * overflows to the next one. */
	if (atomic_exchange(&thread->is_handling, true))
		return true;
	is_measured = clock_begin_own(thread, info);
	thread->interrupted_pc = context_pc(context);
	thread->overflowed_in_call = false;
	time_ns = clock_take(thread, info, context);
	if (collector_takes_events(thread)) {
		signals_allow_faults(context);
		record(thread, context, time_ns);
	} else {
		counters_drop(thread);
		sample_in_pause();
	}
	if (is_measured)
		own_time_end();
	atomic_store(&thread->is_handling, false);
	/* Do this last: signals pending by now are seen, and the call may be made again
	 * shortly. */
	restart_interrupted_call(context, thread->overflowed_in_call ||
						  (clock_is_tick(info) &&
						   clock_interrupts_calls()));
	return true;
}

void events_drop_signals(void)
{
	if (signals_is_shared(SIGNAL_OF_OVERFLOWS) && !collector_is_frozen())
		waiting_drop(SIGNALS_EVENTS, events_is_ours);
}
