/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pauses. The log has a pause when events stop and a resume when they continue, whatever
 * the cause; no event is recorded between them.
 */

#include "collector/recording/control.h"

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/experiment/samples.h"
#include "collector/experiment/window.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/signals/signals.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* ---- samples ---- */

void control_sample(const char *label)
{
	uint64_t mask = collector_enter();

	if (collector_takes_samples())
		sample_take_unless_busy(label, collector_now());
	collector_leave(mask);
}

/* ---- pauses ---- */

/* Settle the time owed to threads up to now. A paused thread is owed nothing. */
static void settle_all(uint64_t now, bool is_recorded)
{
	if (collector_is_frozen())
		return;
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live))
			sources_settle(thread, now,
				       is_recorded && !atomic_load(&thread->is_paused));
	sources_settle(NULL, now, is_recorded);
}

void control_settle(void)
{
	if (collector_is_recording())
		settle_all(collector_now(), !atomic_load(&process.is_paused) &&
						    !atomic_load(&time_window.is_ahead));
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
	/* Another thread may still be writing an earlier event: the pause begins after
	 * that. */
	sample_take(label.start, collector_now());
	if (atomic_load(&time_window.is_ahead))
		return;
	now = collector_now();
	settle_all(now, true);
	log_event("pause", collector_now(), cause, 0);
}

static void end_pause(void)
{
	uint64_t now;

	settle_all(collector_now(), false);
	now = collector_now();
	if (!atomic_load(&time_window.is_ahead)) {
		log_event("resume", now, NULL, 0);
		atomic_store(&process.resumed_ns, now);
	}
	atomic_store(&process.is_paused, false);
	sample_take(SAMPLE_RESUME, collector_now());
	sample_go_on(collector_now());
}

/* Take the lock and block signals; false: there is nothing to control. */
static bool begin_change(uint64_t *mask)
{
	*mask = collector_enter();
	if (collector_is_recording() && !collector_is_suspended()) {
		/* A limit of -t that has passed takes effect first. */
		collector_is_in_window(collector_now());
		if (collector_is_recording() && spin_lock_patiently(&time_window.lock))
			return true;
	}
	collector_leave(*mask);
	return false;
}

static void end_change(uint64_t mask)
{
	spin_unlock(&time_window.lock);
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
					       !atomic_load(&time_window.is_ahead));
		log_event("thread_pause", collector_now(), NULL, thread->tid);
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
		log_event("thread_resume", now, NULL, thread->tid);
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

/* A signal that the program sends to itself belongs to the program. */
static bool is_from_outside(const siginfo_t *info)
{
	return info->si_code == SI_USER && info->si_pid != own_pid();
}

bool control_take_signal(int signal, const siginfo_t *info)
{
	if ((signal != settings.sample_signal && signal != settings.pause_signal) ||
	    !is_from_outside(info))
		return false;
	/* This is a child that shares the parent's memory, or an unknown one. */
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

	atomic_store(&time_window.is_ahead,
		     settings.window_start_ns > now - settings.founder_start_ns);
	if (atomic_load(&time_window.is_ahead) || atomic_load(&process.is_paused))
		log_event("pause", now, NULL, 0);
	if (thread_self && atomic_load(&thread_self->is_paused))
		log_event("thread_pause", now, NULL, thread_self->tid);
}
