/* SPDX-License-Identifier: Apache-2.0 */
/* The recording of this process from its start to its end. */

#include "collector/recording/recording.h"

#include <sys/auxv.h>

#include "collector/base/system.h"
#include "collector/common/follow.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/load.h"
#include "collector/experiment/map.h"
#include "collector/experiment/samples.h"
#include "collector/experiment/window.h"
#include "collector/files/access.h"
#include "collector/files/limits.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/helpers/archive_run.h"
#include "collector/helpers/sampling_await.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/start_time.h"
#include "collector/process/tsc.h"
#include "collector/recording/control.h"
#include "collector/signals/restart.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/sources/adopt.h"
#include "collector/sources/events.h"
#include "collector/threads/cpu_timer.h"
#include "collector/threads/existing.h"
#include "collector/threads/signal_set.h"
#include "collector/threads/task_file.h"
#include "collector/threads/thread.h"

/* ---- around an exec that may fail ---- */

void collector_suspend(void)
{
	atomic_store(&process.is_suspended, true);
	experiment_suspend();
}

void collector_resume(void)
{
	if (!experiment_resume())
		collector_stop(EXPT_ERROR_FILE_RESIZE, 0);
	atomic_store(&process.is_suspended, false);
}

/* Time that is due to threads is recorded by the one that ends the recording. It may be
 * one that has slept since before the beginning, and has no record. */
static void close_all(void)
{
	struct thread *before = thread_self, *borrowed = NULL;

	if (!before || thread_is_stale(before))
		borrowed = thread_borrow();
	if (borrowed)
		collector_enter_again(); /* SIGBUS is open in a thread with a record */
	if (process.is_requested) {
		existing_settle();
		adopt_end();
	}
	sources_close();
	window_close(collector_now());
	sampling_await();
	archive_announce();
	experiment_close();
	if (!borrowed)
		return;
	thread_return(borrowed);
	thread_self = before;
}

void collector_end(void)
{
	int state = atomic_load(&process.state);
	uint64_t mask;

	if ((state != COLLECTOR_ON && state != COLLECTOR_STOPPED) ||
	    !atomic_compare_exchange_strong(&process.state, &state, COLLECTOR_ENDED))
		return;
	mask = collector_enter();
	if (!collector_is_frozen()) {
		close_all();
		if (!process.leaves_archives)
			archive_run();
	} else {
		log_event("exit", collector_now(), NULL, 0);
	}
	collector_leave(mask);
}

/* ---- a recording that a debugger has asked for ---- */

#define PATIENCE_MS		100
#define PATIENCE_WITH_TRACER_MS 3000
#define MOMENT_NS		100000

struct await_signals {
	int tries;
	uint64_t pending; /* signals of events that were not taken */
};

/* A thread of that state may have a signal that nothing shows, if it is traced. It has
 * none any more after it has slept, or has run for a moment. */
static bool may_carry(const struct signals_sent *sent)
{
	return sent->is_traced && (sent->state == 'R' || sent->state == 'D');
}

/* Wait until no signal of an event is on its way to the thread. It takes them as soon as
 * it is on a processor again. */
static void await_signals(pid_t tid, void *argument)
{
	struct await_signals *wait = argument;
	uint64_t used_before = UINT64_MAX;

	for (;; wait->tries++) {
		struct signals_sent sent = signal_set_sent(tid);
		uint64_t used = cpu_clock_ns(tid, CPU_CLOCK_PRECISE);
		bool is_held = sent.is_traced && sent.state == 't';

		sent.pending &= SIGNALS_EVENTS;
		if (sent.pending != 0 || is_held)
			used_before = UINT64_MAX;
		else if (!may_carry(&sent) ||
			 (used > used_before && used - used_before > MOMENT_NS))
			return;
		else if (used_before == UINT64_MAX)
			used_before = used;
		if (wait->tries >=
		    (sent.is_traced ? PATIENCE_WITH_TRACER_MS : PATIENCE_MS)) {
			wait->pending |= sent.pending;
			return;
		}
		sys_sleep(1000000);
	}
}

/* Returns the signals of events that other threads, also those that end just now and of
 * which there is no record any more, have not taken after some time; all if that is
 * unknown. The program's own are sent to the process as a rule, and wait there. */
static uint64_t wait_for_signals(void)
{
	struct await_signals wait = { 0 };

	access_begin_open();
	if (task_visit_others(await_signals, &wait) < 0)
		wait.pending = SIGNALS_EVENTS;
	access_end_open();
	return wait.pending;
}

/* Signals that the thread which has ended a recording blocks again */
static uint64_t blocked_again;

void recording_withdraw(void)
{
	uint64_t mask = collector_enter();
	bool is_quiet;

	is_quiet = adopt_dismiss();
	waiting_drop(SIGNALS_EVENTS, events_is_ours);
	signals_return(wait_for_signals(),
		       is_quiet ? 0 : SIGNAL_BIT(SIGNAL_OF_OVERFLOWS));
	blocked_again = thread_self ? atomic_exchange(&thread_self->blocked, 0) : 0;
	collector_leave(mask | blocked_again);
}

uint64_t recording_mask(uint64_t mask)
{
	return (thread_self ? mask & ~signals_hidden() : mask) | blocked_again;
}

void recording_abandon(void)
{
	atomic_store(&process.state, COLLECTOR_OFF);
	adopt_end();
	sources_close();
	access_end();
	dynamic_start(false);
	recording_withdraw();
}

/* The recording may have failed in its middle, with its timers, or be that of a parent.
 */
void recording_forget(void)
{
	sources_silence();
	existing_settle();
	if (existing_are_outside() && collector_is_outside())
		experiment_unmap();
	access_end();
	experiment_forget();
	log_forget();
	sample_forget();
	loadmap_forget();
	dynamic_forget();
	window_forget();
	limits_forget();
	sources_forget();
	thread_forget_all();
	blocked_again = 0;
	atomic_store(&process.is_suspended, false);
	atomic_store(&process.is_closed, false);
}

/* ---- the start, of a child of fork, too ---- */

void recording_start(const char *label)
{
	const char *path = (const char *)getauxval(AT_EXECFN);

	atomic_store(&process.state, follow_matches(process.lineage, path)
					     ? COLLECTOR_ON
					     : COLLECTOR_CARRIED);
	if (!collector_is_recording())
		return;
	sample_first(label);
	control_start();
	if (collector_is_founder()) {
		if (!experiment_materialise())
			return;
		experiment_reserve();
	}
	if (thread_self)
		sources_start(thread_self);
}

static void forget_parent(void)
{
	access_after_fork();
	experiment_forget();
	log_forget();
	sample_forget();
	loadmap_forget();
	loadmap_unlock();
	dynamic_forget();
	window_forget();
	waiting_forget();
	restart_forget();
	tsc_after_fork();
	unwind_after_fork();
	thread_after_fork();
	atomic_store(&process.is_suspended, false);
	atomic_store(&process.is_closed, false);
	limits_forget();
}

void collector_become_child(const char *lineage, bool began_unseen)
{
	int state = atomic_load(&process.state);
	struct text own;

	atomic_store(&process.state, COLLECTOR_OFF);
	process.pid = sys_getpid();
	process.began_unseen = began_unseen;
	process.start_ns = began_unseen ? start_time_after(process.start_ns)
					: collector_now();
	process.command = "(fork)";
	forget_parent();
	sources_after_fork();
	if (!lineage || settings.follow == 0 || state == COLLECTOR_ENDED) {
		access_end();
		dynamic_start(false);
		return;
	}
	own = TEXT_ON(process.lineage);
	text_add(&own, lineage);
	recording_start(SAMPLE_OPEN);
}
