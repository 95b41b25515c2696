/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a recording as the program, signals and -t want it. The log has a pause
 * when events stop and a resume when they go on, whatever the cause; what is recorded
 * never lies between them.
 */

#include "collector/recording/control.h"

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/experiment/samples.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/recording/recording.h"
#include "collector/signals/signals.h"
#include "collector/sources/other_threads.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

static struct spin lock;
static _Atomic bool is_before_window;

/* ---- events of the log ---- */

static void log_change(const char *kind, const char *cause, const struct thread *thread,
		       uint64_t now)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	log_begin(&record, kind, now);
	if (thread)
		text_add_number(&record, "tid", thread->tid);
	if (cause)
		text_add_attribute(&record, "name", cause);
	log_put(&record);
}

/* ---- the limits of time ---- */

bool collector_has_window(void)
{
	return settings.window_start_ns != 0 || settings.window_end_ns != 0;
}

/* False: not yet, as another thread is just changing something. */
static bool begin_window(uint64_t now)
{
	if (!atomic_load(&is_before_window))
		return true;
	if (!spin_lock(&lock))
		return false;
	if (atomic_exchange(&is_before_window, false) &&
	    !atomic_load(&process.is_paused)) {
		other_threads_settle(now, false);
		log_change("resume", NULL, NULL, now);
		atomic_store(&process.resumed_ns, now);
	}
	spin_unlock(&lock);
	return true;
}

bool collector_is_in_window(uint64_t now)
{
	uint64_t since;

	if (!collector_has_window())
		return true;
	since = now - settings.founder_start_ns;
	if (settings.window_end_ns > 0 && since >= settings.window_end_ns) {
		collector_end_events(now);
		return false;
	}
	return since >= settings.window_start_ns && begin_window(now);
}

/* ---- samples ---- */

void control_sample(const char *label)
{
	uint64_t mask = collector_enter();

	if (collector_takes_samples())
		sample_take_unless_busy(label, collector_now());
	collector_leave(mask);
}

/* ---- pauses ---- */

/* What threads are owed for the time up to now. Who is paused already is owed nothing. */
static void settle_all(uint64_t now, bool is_recorded)
{
	if (collector_is_frozen())
		return;
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live))
			sources_settle(thread, now,
				       is_recorded && !atomic_load(&thread->is_paused));
	other_threads_settle(now, is_recorded);
}

void control_settle(void)
{
	if (collector_is_recording())
		settle_all(collector_now(), !atomic_load(&process.is_paused) &&
						    !atomic_load(&is_before_window));
}

static void begin_pause(const char *cause)
{
	char buffer[64];
	struct text label = TEXT_ON(buffer);
	uint64_t now;

	text_add(&label, SAMPLE_PAUSE_BEGIN);
	text_add(&label, cause);
	text_add(&label, ")");
	atomic_store(&process.is_paused, true);
	/* Another thread may be writing an event that it took before: the pause begins
	 * later than that. */
	sample_take(label.start, collector_now());
	if (atomic_load(&is_before_window))
		return;
	now = collector_now();
	settle_all(now, true);
	log_change("pause", cause, NULL, collector_now());
}

static void end_pause(void)
{
	uint64_t now;

	settle_all(collector_now(), false);
	now = collector_now();
	if (!atomic_load(&is_before_window)) {
		log_change("resume", NULL, NULL, now);
		atomic_store(&process.resumed_ns, now);
	}
	atomic_store(&process.is_paused, false);
	sample_take(SAMPLE_RESUME, collector_now());
}

/* With the lock held and signals blocked; false: there is nothing to control. */
static bool begin_change(uint64_t *mask)
{
	*mask = collector_enter();
	if (collector_is_recording() && !collector_is_suspended()) {
		/* What is due by now comes first. */
		collector_is_in_window(collector_now());
		if (collector_is_recording() && spin_lock_patiently(&lock))
			return true;
	}
	collector_leave(*mask);
	return false;
}

static void end_change(uint64_t mask)
{
	spin_unlock(&lock);
	collector_leave(mask);
}

void control_pause(const char *cause)
{
	uint64_t mask;

	if (!begin_change(&mask))
		return;
	if (!atomic_load(&process.is_paused))
		begin_pause(cause);
	end_change(mask);
}

void control_resume(void)
{
	uint64_t mask;

	if (!begin_change(&mask))
		return;
	if (atomic_load(&process.is_paused))
		end_pause();
	end_change(mask);
}

void control_pause_thread(struct thread *thread)
{
	uint64_t mask, now;

	if (!begin_change(&mask))
		return;
	if (!atomic_exchange(&thread->is_paused, true)) {
		now = collector_now();
		if (!collector_is_frozen())
			sources_settle(thread, now,
				       !atomic_load(&process.is_paused) &&
					       !atomic_load(&is_before_window));
		log_change("thread_pause", NULL, thread, collector_now());
	}
	end_change(mask);
}

void control_resume_thread(struct thread *thread)
{
	uint64_t mask, now;

	if (!begin_change(&mask))
		return;
	if (atomic_load(&thread->is_paused)) {
		if (!collector_is_frozen())
			sources_settle(thread, collector_now(), false);
		now = collector_now();
		log_change("thread_resume", NULL, thread, now);
		atomic_store(&thread->resumed_ns, now);
		atomic_store(&thread->is_paused, false);
	}
	end_change(mask);
}

/* ---- signals ---- */

static pid_t own_pid(void)
{
	return collector_is_frozen() ? process.pid : sys_getpid();
}

/* One that the program sends to itself is its own. */
static bool is_from_outside(const siginfo_t *info)
{
	return info->si_code == SI_USER && info->si_pid != own_pid();
}

bool control_take_signal(int signal, const siginfo_t *info)
{
	if ((signal != settings.sample_signal && signal != settings.pause_signal) ||
	    !is_from_outside(info))
		return false;
	/* A child that shares our memory, or is not known yet. */
	if (own_pid() != process.pid)
		return true;
	if (signal == settings.sample_signal)
		control_sample(SAMPLE_SIGNAL);
	else if (atomic_load(&process.is_paused))
		control_resume();
	else
		control_pause(PAUSE_BY_SIGNAL);
	return true;
}

/* ---- starts ---- */

void control_open(void)
{
	atomic_store(&process.is_paused, settings.starts_paused);
	if (settings.sample_signal != 0)
		signals_share(settings.sample_signal);
	if (settings.pause_signal != 0)
		signals_share(settings.pause_signal);
}

void control_start(void)
{
	uint64_t now = collector_now();

	atomic_store(&is_before_window,
		     settings.window_start_ns > now - settings.founder_start_ns);
	if (atomic_load(&is_before_window) || atomic_load(&process.is_paused))
		log_change("pause", NULL, NULL, now);
	if (thread_self && atomic_load(&thread_self->is_paused))
		log_change("thread_pause", NULL, thread_self, now);
}

void control_forget(void)
{
	atomic_store(&lock.is_held, 0);
	atomic_store(&is_before_window, false);
	atomic_store(&process.resumed_ns, 0);
}
