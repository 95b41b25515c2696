/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/recording/handler.h"

#include <errno.h>

#include "collector/base/system.h"
#include "collector/files/limits.h"
#include "collector/process/guard.h"
#include "collector/recording/control.h"
#include "collector/signals/hold.h"
#include "collector/signals/restart.h"
#include "collector/signals/signals.h"
#include "collector/sources/blocked.h"
#include "collector/sources/events.h"
#include "collector/threads/thread.h"
#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

/* Returns true for a fault that the thread's own instruction caused. */
static bool is_fault(int signal, const siginfo_t *info)
{
	return (SIGNALS_FAULTS & SIGNAL_BIT(signal)) != 0 && info->si_code > 0;
}

static bool is_fault_of_ours(int signal, const siginfo_t *info, ucontext_t *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;

	if (info->si_code <= 0)
		return false;
	if (thread_self && unwind_fault(context, address))
		return true;
	return signal == SIGBUS && collector_absorb_fault(address);
}

/* A signal for the collector must not interrupt a system call of the program. */
static bool is_control_of_ours(int signal, const siginfo_t *info, ucontext_t *context)
{
	if (!control_take_signal(signal, info))
		return false;
	restart_interrupted_call(context, true);
	return true;
}

static bool is_for_us(int signal, siginfo_t *info, ucontext_t *context)
{
	if ((SIGNALS_FAULTS & SIGNAL_BIT(signal)) != 0)
		return is_fault_of_ours(signal, info, context);
	return ((SIGNALS_EVENTS & SIGNAL_BIT(signal)) != 0 &&
		events_take(info, context)) ||
	       is_control_of_ours(signal, info, context);
}

/*
 * An overflow signal that is blocked and pending, for example during a long walk, is
 * delivered before a fault: the kernel ignores the mask then. The fault seems to be
 * caused by the first instruction of the handler; the context that the handler is about
 * to receive contains the instruction that has really faulted, of the unwinder or of the
 * program (a Java machine walks its frames in our handler, and reads what may fault).
 */
static ucontext_t *interrupted(int signal, const siginfo_t *info, ucontext_t *context)
{
	if (is_fault(signal, info) && context_pc(context) == (uintptr_t)handle_signal)
		return context_for_handler(context);
	return context;
}

void handle_signal(int signal, siginfo_t *info, void *given)
{
	ucontext_t *context = interrupted(signal, info, given);
	int saved = errno;
	bool is_ours;

	if (hold_is_at(context) && (SIGNALS_EVENTS & SIGNAL_BIT(signal)) != 0 &&
	    events_is_ours(info))
		hold_go_on(context);
	is_ours = is_for_us(signal, info, context);

	if (thread_self)
		atomic_fetch_add(is_ours ? &thread_self->taken : &thread_self->delivered,
				 1);
	if (!is_ours && !blocked_must_wait(signal, info, context)) {
		if (signal == SIGPROF)
			blocked_move_clock(context);
		signals_call_program(signal, info, context);
	}
	errno = saved;
}
