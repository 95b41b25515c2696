/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/blocked.h"

#include <string.h>

#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/sources/clock.h"
#include "collector/sources/events.h"
#include "collector/threads/thread.h"

static bool is_left_to_kernel(int signal)
{
	return (atomic_load(&signals_left_to_kernel) & SIGNAL_BIT(signal)) != 0 &&
	       !collector_is_frozen();
}

static bool has_clock_to_move(void)
{
	return is_left_to_kernel(SIGPROF) && thread_self &&
	       clock_change_signal(thread_self, SIGNAL_QUIET);
}

/* Let the thread's clock use SIGNAL_QUIET from now on, which the kernel never blocks in
 * the thread. */
void blocked_move_clock(ucontext_t *context)
{
	static const uint64_t quiet = SIGNAL_BIT(SIGNAL_QUIET);
	uint64_t mask;

	if (!has_clock_to_move())
		return;
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	thread_self->blocked |= mask & quiet;
	mask &= ~quiet;
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	waiting_drop(SIGNAL_BIT(SIGPROF), events_is_ours);
}

/* Let the kernel block the signal in the thread from now on, and send it again. A thread
 * other than the main one may not queue a signal from the kernel, but may send it. */
static void leave_to_kernel(int signal, const siginfo_t *info, ucontext_t *context)
{
	uint64_t mask;

	blocked_move_clock(context);
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	mask |= SIGNAL_BIT(signal);
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	if (info->si_code == SI_TKILL)
		system_call(SYS_rt_tgsigqueueinfo, process.pid, sys_gettid(), signal,
			    (long)info, 0, 0);
	else if (system_call(SYS_rt_sigqueueinfo, process.pid, signal, (long)info, 0, 0,
			     0) < 0)
		system_call(SYS_kill, process.pid, signal, 0, 0, 0, 0);
}

void blocked_leave_to_kernel(uint64_t signals)
{
	uint64_t mask;

	if ((signals & SIGNAL_BIT(SIGPROF) & ~atomic_load(&signals_left_to_kernel)) ==
		    0 ||
	    !signals_is_shared(SIGPROF) || collector_is_frozen() || !signals_take_quiet())
		return;
	atomic_fetch_or(&signals_left_to_kernel, SIGNAL_BIT(SIGPROF));
	mask = collector_enter();
	if (has_clock_to_move())
		waiting_drop(SIGNAL_BIT(SIGPROF), events_is_ours);
	collector_leave(mask);
	if (thread_blocks(SIGPROF))
		waiting_send(SIGNAL_BIT(SIGPROF));
}

/* A thread that leaves the signal to the kernel concurrently may have looked too early
 * for one that waits: look again. */
bool blocked_must_wait(int signal, const siginfo_t *info, ucontext_t *context)
{
	siginfo_t waiting;

	if ((SIGNALS_HIDDEN & SIGNAL_BIT(signal)) == 0 || !thread_blocks(signal) ||
	    signals_is_forced(signal, info))
		return false;
	if (!is_left_to_kernel(signal)) {
		waiting_put(signal, info);
		if (!is_left_to_kernel(signal) ||
		    !waiting_take(SIGNAL_BIT(signal), &waiting))
			return true;
		info = &waiting;
	}
	leave_to_kernel(signal, info, context);
	return true;
}
