/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clock profiling. Each thread has a timer on its own CPU clock that sends SIGPROF to it.
 * The kernel checks such timers only on its tick, so one signal may count for several
 * periods; its siginfo contains the number. Below the tick, fine_clock.c counts the time
 * outside the kernel, and the timer only adds the rest. Time that is still due at a
 * thread's end is recorded there. All is counted in CPU time, to the microsecond: an
 * event counts for the time since the previous one, so that no time is lost where threads
 * and processes are shorter than the period.
 */

#include "collector/sources/clock.h"

#include <errno.h>
#include <sys/auxv.h>

#include "collector/base/cpu.h"
#include "collector/base/debugger.h"
#include "collector/base/kernel.h"
#include "collector/base/system.h"
#include "collector/common/clock_text.h"
#include "collector/common/settings.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/window.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/own_time.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/signals/signals.h"
#include "collector/sources/clock_packet.h"
#include "collector/sources/cpu_mode.h"
#include "collector/sources/fine_clock.h"
#include "collector/sources/other_threads.h"
#include "collector/threads/cpu_timer.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"

/* Their addresses mark the collector's timers. */
static char cookie, mode_cookie;

/* The limit of deferred kernel time, while the thread is not interrupted in a call. */
#define KERNEL_DEFERRED_NS 40000000

/* For this long a thread that a debugger has borrowed gets no tick. It may sleep in a
 * call of the program, which a tick would end, but not one that comes after the call. */
#define BORROWED_NS 20000000

static uint64_t period_ns, tick_ns;
static _Atomic uint64_t phase;
static bool interrupts_calls;
static atomic_bool lacks_timers;

/* Successive threads begin at phases that fill the period evenly. Each phase by itself is
 * random, and the share of many short threads is right to a tick or two. */
#define GOLDEN_STEP UINT64_C(0x9E3779B97F4A7C15)

static uint32_t next_phase(void)
{
	return (uint32_t)(atomic_fetch_add(&phase, GOLDEN_STEP) >> 32);
}

/* ---- one event ---- */

/* Take the thread's time up to cpu_ns, as far as it was not settled before. */
static uint64_t take_up_to(struct thread *thread, uint64_t cpu_ns)
{
	uint64_t settled = atomic_load(&thread->settled_ns);

	cpu_ns -= cpu_ns % CLOCK_UNIT_NS;
	while (settled < cpu_ns)
		if (atomic_compare_exchange_weak(&thread->settled_ns, &settled, cpu_ns))
			return cpu_ns - settled;
	return 0;
}

bool clock_is_tick(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && (info->si_value.sival_ptr == &cookie ||
					     info->si_value.sival_ptr == &mode_cookie);
}

bool clock_interrupts_calls(void)
{
	return interrupts_calls;
}

static uint64_t take_fine(struct thread *thread, bool is_tick)
{
	uint64_t time_ns = fine_clock_take(thread, is_tick);

	return time_ns == 0 ? 0 : take_up_to(thread, thread->settled_ns + time_ns);
}

/* Time that the event does not count is the kernel's: it is recorded where the timer
 * interrupts the thread in the kernel. If that does not happen for long, it is recorded
 * at the thread's current place. */
static uint64_t take_kernel(struct thread *thread, uint64_t user_share, uint64_t time_ns)
{
	uint64_t all = atomic_fetch_add(&thread->kernel_ns, time_ns) + time_ns;

	if (fine_clock_is_open(thread) && user_share == CPU_MODE_USER &&
	    all < KERNEL_DEFERRED_NS)
		return 0;
	return atomic_exchange(&thread->kernel_ns, 0);
}

/* Without a timer, the time due is recorded at the end, if -t has not ended the recording
 * before. */
static void start_timer(struct thread *thread)
{
	cpu_timer_start(&thread->timer, thread, &cookie, thread->first_tick_ns,
			period_ns);
	if (thread->timer < 0 && !collector_is_frozen() &&
	    !atomic_exchange(&lacks_timers, true))
		log_message("cwarn", EXPT_WARNING_GENERAL,
			    "no timers for threads, as with 'ulimit -i 0': their CPU "
			    "time has no call stacks, or is unknown if -t ends it",
			    0);
}

static void delete_timers_really(struct thread *thread)
{
	cpu_timer_delete(&thread->timer);
	cpu_timer_delete(&thread->mode_timer);
}

/* If the period is longer than the kernel's tick, several ticks fall between two signals,
 * perhaps of both modes: a second timer asks one tick before each signal of the first. */
static void watch_mode(struct thread *thread)
{
	uint64_t next = thread->first_tick_ns + thread->ticks_delivered * period_ns;

	if (period_ns > tick_ns && thread->mode_timer < 0 && cpu_mode_is_mixed(thread))
		cpu_timer_start(&thread->mode_timer, thread, &mode_cookie, next - tick_ns,
				period_ns);
}

/* Returns the time of a timer's signal, less the time that the event has counted before.
 */
uint64_t clock_take(struct thread *thread, const siginfo_t *info,
		    const ucontext_t *context)
{
	bool is_tick = thread->timer >= 0 && clock_is_tick(info);
	bool is_period = is_tick && info->si_value.sival_ptr == &cookie;
	uint64_t time_ns = take_fine(thread, is_period), periods, due, timed, user_share;

	thread->system_ns = 0;
	if (!is_tick)
		return time_ns;
	user_share = cpu_mode_ask(thread, context);
	if (!is_period)
		return time_ns;
	periods = 1 + (info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0);
	due = thread->first_tick_ns + thread->ticks_delivered * period_ns;
	thread->ticks_delivered += periods;
	due += (periods - 1) * period_ns;
	timed = take_kernel(thread, user_share, take_up_to(thread, due));
	thread->system_ns = timed - cpu_mode_user_ns(user_share, timed);
	if (collector_takes_events(thread) && !collector_is_frozen()) {
		watch_mode(thread);
		fine_clock_review(thread, periods);
	}
	return time_ns + timed;
}

/* The first events of a thread make the experiment and walk code that is not known yet.
 * Later ones of the finest periods take so little time that measuring it would double
 * it. */
#define LONG_EVENTS 64

bool clock_begin_own(struct thread *thread, const siginfo_t *info)
{
	if (collector_is_frozen())
		return false;
	if (thread->long_events < LONG_EVENTS)
		thread->long_events++;
	else if (!clock_is_tick(info))
		return false;
	return own_time_begin();
}

/* A child of vfork that shares this memory has a clock of its own. */
static void count_own(uint64_t own_ns)
{
	struct thread *thread = thread_self;

	if (!thread || thread->vfork_number != 0 ||
	    atomic_load(&thread->settled_ns) == UINT64_MAX)
		return;
	own_ns += CLOCK_UNIT_NS / 2;
	atomic_fetch_add(&thread->settled_ns, own_ns - own_ns % CLOCK_UNIT_NS);
}

void clock_defer(struct thread *thread, uint64_t time_ns)
{
	atomic_fetch_add(&thread->deferred_ns, time_ns);
}

void clock_record(struct thread *thread, uint64_t now, uint64_t stack, uint64_t time_ns)
{
	uint64_t system = thread->system_ns;
	uint64_t user = time_ns - system + atomic_exchange(&thread->deferred_ns, 0);

	thread->last_stack = stack;
	clock_put_both(thread, thread->tid, now, stack, user, system);
}

/* ---- a thread's start and end ---- */

static uint64_t kernel_tick(void)
{
	struct timespec tick = { 0 };

	system_call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, (long)&tick, 0, 0, 0, 0);
	return timespec_ns(&tick);
}

static bool open_clock(void)
{
	const uint64_t *random = (const uint64_t *)getauxval(AT_RANDOM);

	if (settings.period_us == 0)
		return false;
	phase = (random ? *random : 0) ^ collector_now() * GOLDEN_STEP;
	cpu_current(); /* look it up before a handler needs it */
	if (!signals_take())
		return false;
	period_ns = (uint64_t)settings.period_us * 1000;
	tick_ns = kernel_tick();
	/* Later ones send the signals of timers on the way out of the kernel, when a
	 * call has ended by itself. */
	interrupts_calls = kernel_is_before(5, 11);
	own_time_open(count_own);
	fine_clock_forget();
	other_threads_forget();
	atomic_store(&lacks_timers, false);
	if (process.is_requested && !debugger_is_there())
		fine_clock_prepare();
	return true;
}

bool clock_change_signal(struct thread *thread, int signal)
{
	if (thread->timer < 0 || thread->timer_signal == signal)
		return false;
	thread->timer_signal = signal;
	delete_timers_really(thread);
	thread->ticks_delivered = 0; /* the new one counts from the start */
	start_timer(thread);
	return true;
}

/* Settle the time due up to now, and return it. tid: 0 for the calling thread. */
static uint64_t settle_due(struct thread *thread, pid_t tid)
{
	if (thread == thread_self)
		own_time_settle();
	return take_up_to(thread, cpu_clock_ns(tid, CPU_CLOCK_PRECISE)) +
	       atomic_exchange(&thread->deferred_ns, 0) +
	       atomic_exchange(&thread->kernel_ns, 0);
}

uint64_t clock_pass_on(struct thread *thread)
{
	if (thread->next || thread->last_stack != 0 || process.past_ns != 0 ||
	    collector_is_paused(thread))
		return 0;
	return settle_due(thread, 0);
}

static bool is_first(const struct thread *thread)
{
	return process.is_requested ? !other_threads_are_counted()
				    : thread->tid == process.pid;
}

static void start(struct thread *thread)
{
	uint32_t random = next_phase();
	/* Most processes are short: one of the kernel's first ticks should interrupt
	 * them. */
	bool is_early = thread->tid == process.pid && tick_ns < period_ns;
	bool is_borrowed = process.is_requested && is_first(thread);
	uint64_t now;

	thread->ticks_delivered = 0;
	thread->long_events = 0;
	cpu_mode_start(thread);
	if (is_first(thread))
		other_threads_start(period_ns, next_phase() * period_ns >> 32);
	if (collector_is_paused(thread) || collector_has_window())
		atomic_store(&process.past_ns, 0);
	if (!collector_is_frozen())
		fine_clock_open(thread, period_ns, tick_ns, random);
	now = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	thread->first_tick_ns = now + 1 +
				(random * (is_early ? tick_ns : period_ns) >> 32) +
				(is_borrowed ? BORROWED_NS : 0);
	/* This library's time between the thread's past and now is not the program's. */
	thread->settled_ns = now - thread->past_ns;
	thread->past_ns = 0;
	if (collector_is_frozen())
		return;
	thread->timer_signal =
		(atomic_load(&signals_left_to_kernel) & SIGNAL_BIT(SIGPROF)) != 0
			? SIGNAL_QUIET
			: SIGPROF;
	start_timer(thread);
}

static void end_clocks_really(struct thread *thread)
{
	fine_clock_close(thread);
	delete_timers_really(thread);
}

static void end_clocks(struct thread *thread)
{
	if (collector_is_frozen())
		thread->timer = thread->mode_timer = -1;
	else
		end_clocks_really(thread);
}

/* The time since the last event is recorded at that event's stack, unless another event
 * should have come in between. */
static void record_rest(struct thread *writer, struct thread *thread, uint64_t now,
			uint64_t owed)
{
	uint64_t known = fine_clock_resolution_ns(thread);
	uint64_t share = cpu_mode_ask(thread, NULL);

	if (thread->last_stack == 0)
		known = 0;
	else if (known > owed)
		known = owed;
	if (known > 0)
		clock_put_shared(writer, thread->tid, now, thread->last_stack, share,
				 known);
	if (owed > known)
		clock_put_shared(writer, thread->tid, now,
				 clock_stack_not_sampled(&writer->in_handler, thread),
				 share, owed - known);
}

static void stop(struct thread *thread)
{
	uint64_t now = collector_now(), owed;

	if (!collector_is_recording() || collector_is_frozen()) {
		end_clocks(thread);
		return;
	}
	owed = settle_due(thread, 0);
	other_threads_add_ended(thread->settled_ns);
	fine_clock_learn(owed, thread->last_stack != 0);
	end_clocks(thread);
	if (owed > 0 && collector_is_in_window(now) &&
	    collector_takes_event_at(thread, now) && experiment_materialise())
		record_rest(thread, thread, now, owed);
}

static void silence(void)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live))
			end_clocks_really(thread);
}

/* In a pause no event is recorded, but the kernel delivers late. The time due when a
 * pause begins is recorded in the blocks of the thread that began it, and the time due at
 * its end is dropped. thread: NULL for time that belongs to no thread with a record. */
static void settle(struct thread *thread, uint64_t now, bool is_recorded)
{
	struct thread *self = thread_self;
	uint64_t owed;

	if (!thread) {
		other_threads_settle(now, is_recorded);
		return;
	}
	owed = settle_due(thread, thread->tid);
	if (owed == 0 || !is_recorded || !self || !experiment_materialise())
		return;
	record_rest(self, thread, now, owed);
}

/* The process ends while other threads may still run: the time due to them is recorded in
 * the blocks of this thread. Signals are blocked, and no handler begins any more. The
 * kernel checks timers only at its own ticks: without this, processes shorter than a tick
 * would seem to cost no time. */
static void close_clock(void)
{
	struct thread *self = thread_self;
	uint64_t now;

	for (struct thread *thread = thread_first(); thread; thread = thread->next) {
		uint64_t owed;

		if (!atomic_load(&thread->is_live))
			continue;
		end_clocks(thread);
		for (int tries = 0; thread->is_handling && tries < 1000; tries++)
			sys_yield();
		owed = settle_due(thread, thread->tid);
		if (self && owed > 0 && !collector_is_paused(thread) &&
		    collector_is_in_window(collector_now()) &&
		    experiment_materialise_at_end())
			record_rest(self, thread, collector_now(), owed);
	}
	now = collector_now();
	other_threads_settle(now, self && !collector_is_paused(self) &&
					  collector_is_in_window(now));
	other_threads_end();
}

static void resume(struct thread *thread)
{
	fine_clock_open(thread, period_ns, tick_ns, next_phase());
}

static void suspend(struct thread *thread)
{
	fine_clock_close(thread);
}

static void after_fork(void)
{
	debugger_forget();
	atomic_store(&lacks_timers, false);
	atomic_fetch_add(&phase, (uint64_t)process.pid * GOLDEN_STEP);
}

const struct data_source clock_source = {
	.file = CLOCK_FILE,
	.kind = DATA_CLOCK,
	.describe = clock_describe,
	.open = open_clock,
	.start = start,
	.stop = stop,
	.settle = settle,
	.close = close_clock,
	.silence = silence,
	.suspend = suspend,
	.resume = resume,
	.after_fork = after_fork,
};
