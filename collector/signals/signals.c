/* SPDX-License-Identifier: Apache-2.0 */
/* The handler of the signals we share with the program. */

#include "collector/signals/signals.h"

#include <errno.h>
#include <string.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/files/limits.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/recording/control.h"
#include "collector/signals/restart.h"
#include "collector/signals/shared.h"
#include "collector/signals/waiting.h"
#include "collector/sources/clock.h"
#include "collector/sources/events.h"
#include "collector/threads/thread.h"
#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

#define FAULTS	(SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS))
#define STOPS	(SIGNAL_BIT(SIGTSTP) | SIGNAL_BIT(SIGTTIN) | SIGNAL_BIT(SIGTTOU))
#define IGNORED (SIGNAL_BIT(SIGCONT) | SIGNAL_BIT(SIGURG) | SIGNAL_BIT(SIGWINCH))

#define EVENTS \
	(SIGNAL_BIT(SIGPROF) | SIGNAL_BIT(SIGNAL_OF_OVERFLOWS) | SIGNAL_BIT(SIGNAL_QUIET))
#define HIDDEN \
	(EVENTS | SIGNAL_BIT(SIGBUS)) /* a store into a file of ours may end in it */

/* The kernel must call us, and not a sanitizer that delays signals. */
static int real_sigaction(int signal, const struct sigaction *action,
			  struct sigaction *old)
{
	LIBC(sigaction, "GLIBC_2.2.5", int,
	     (int, const struct sigaction *, struct sigaction *));

	return real(signal, action, old);
}

/* ---- the program's disposition ---- */

static bool is_handler(const struct sigaction *view)
{
	return view->sa_handler != SIG_DFL && view->sa_handler != SIG_IGN;
}

static bool is_ignored(int signal, const struct sigaction *view)
{
	return view->sa_handler == SIG_IGN ||
	       (view->sa_handler == SIG_DFL && (IGNORED & SIGNAL_BIT(signal)) != 0);
}

/* By the thread's own instruction: the kernel lets nobody ignore or block it. */
static bool is_forced(int signal, const siginfo_t *info)
{
	return ((FAULTS | SIGNAL_BIT(SIGTRAP)) & SIGNAL_BIT(signal)) != 0 &&
	       info->si_code > 0;
}

/* A fault, if its handler does nothing about it. */
static bool comes_again(int signal, const siginfo_t *info)
{
	return (FAULTS & SIGNAL_BIT(signal)) != 0 && is_forced(signal, info);
}

/* As the program sees it, of a signal that it never blocks really. */
static bool is_blocked(int signal)
{
	return thread_self && (thread_self->blocked & SIGNAL_BIT(signal)) != 0;
}

static void install(int signal, const struct sigaction *view);

/* As if we were not here: a fault comes again, another signal is sent once more. */
static void take_default_action(int signal, const siginfo_t *info,
				const struct sigaction *view)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	uint64_t bit = SIGNAL_BIT(signal);

	real_sigaction(signal, &action, NULL);
	if (!comes_again(signal, info))
		sys_tgkill(process.pid, sys_gettid(), signal);
	if ((STOPS & bit) != 0) {
		sys_sigmask(SIG_UNBLOCK, &bit, NULL); /* it stops here, and goes on */
		install(signal, view);
	}
}

/* For those of events our own mask is in force; the others run under the program's
 * anyway. */
static void use_mask(int signal, const struct sigaction *view, const ucontext_t *context)
{
	uint64_t mask, extra;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	memcpy(&extra, &view->sa_mask, sizeof(extra));
	mask |= extra;
	if ((view->sa_flags & SA_NODEFER) == 0)
		mask |= SIGNAL_BIT(signal);
	mask &= ~SIGNAL_BIT(SIGBUS);
	sys_sigmask(SIG_SETMASK, &mask, NULL);
}

static void move_clock(ucontext_t *context);

static void call_program(int signal, siginfo_t *info, ucontext_t *context)
{
	int index = shared_index(signal);
	struct sigaction view = shared_view(index);

	if (is_ignored(signal, &view) && !is_forced(signal, info)) {
		restart_interrupted_call(context, true);
		return;
	}
	if (!is_handler(&view) || (is_forced(signal, info) && is_blocked(signal))) {
		take_default_action(signal, info, &view);
		return;
	}
	if (!shared_take_handler(index, &view)) {
		call_program(signal, info, context);
		return;
	}
	if (signal == SIGPROF && thread_self)
		move_clock(context);
	if ((EVENTS & SIGNAL_BIT(signal)) != 0)
		use_mask(signal, &view, context);
	if ((FAULTS & SIGNAL_BIT(signal)) == 0 && (view.sa_flags & SA_RESTART) == 0)
		restart_refuse(context);
	if ((view.sa_flags & SA_SIGINFO) != 0)
		view.sa_sigaction(signal, info, context);
	else
		view.sa_handler(signal);
}

/* ---- a SIGPROF that the program uses ---- */

static _Atomic uint64_t left_to_kernel;

uint64_t signals_left_to_kernel(void)
{
	return atomic_load(&left_to_kernel);
}

static bool is_left_to_kernel(int signal)
{
	return (atomic_load(&left_to_kernel) & SIGNAL_BIT(signal)) != 0 &&
	       !collector_is_frozen();
}

static bool has_clock_to_move(void)
{
	return is_left_to_kernel(SIGPROF) && thread_self &&
	       clock_change_signal(thread_self, SIGNAL_QUIET);
}

/* The clock of the thread uses SIGNAL_QUIET from now on, which the thread never blocks
 * really. */
static void move_clock(ucontext_t *context)
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

/* The thread blocks it really from here on. Another thread than the main one may not
 * queue what the kernel has sent, but may send it. */
static void leave_to_kernel(int signal, const siginfo_t *info, ucontext_t *context)
{
	uint64_t mask;

	move_clock(context);
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

void signals_leave_to_kernel(uint64_t signals)
{
	uint64_t mask;

	if ((signals & SIGNAL_BIT(SIGPROF) & ~atomic_load(&left_to_kernel)) == 0 ||
	    !signals_is_shared(SIGPROF) || collector_is_frozen() || !signals_take_quiet())
		return;
	atomic_fetch_or(&left_to_kernel, SIGNAL_BIT(SIGPROF));
	mask = collector_enter();
	if (has_clock_to_move())
		waiting_drop(SIGNAL_BIT(SIGPROF), events_is_ours);
	collector_leave(mask);
	if (is_blocked(SIGPROF))
		waiting_send(SIGNAL_BIT(SIGPROF));
}

/* A thread that leaves the signal to the kernel meanwhile may have looked for one that
 * waits too early. */
static bool must_wait(int signal, const siginfo_t *info, ucontext_t *context)
{
	siginfo_t waiting;

	if ((HIDDEN & SIGNAL_BIT(signal)) == 0 || !is_blocked(signal) ||
	    is_forced(signal, info))
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

static bool is_fault_of_ours(int signal, const siginfo_t *info, ucontext_t *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;

	if (info->si_code <= 0)
		return false;
	if (thread_self && unwind_fault(context, address))
		return true;
	return signal == SIGBUS && collector_absorb_fault(address);
}

/* One that is for us interrupts no call of the program. */
static bool is_control_of_ours(int signal, const siginfo_t *info, ucontext_t *context)
{
	if (!control_take_signal(signal, info))
		return false;
	restart_interrupted_call(context, true);
	return true;
}

static bool is_for_us(int signal, siginfo_t *info, ucontext_t *context)
{
	if ((FAULTS & SIGNAL_BIT(signal)) != 0)
		return is_fault_of_ours(signal, info, context);
	return ((EVENTS & SIGNAL_BIT(signal)) != 0 && events_take(info, context)) ||
	       is_control_of_ours(signal, info, context);
}

static void handle(int signal, siginfo_t *info, void *context);

/*
 * An overflow that waits because it is blocked, as where a walk takes its time, is
 * delivered ahead of a fault: the kernel does not look at the mask then. The fault is
 * told as if our handler's first instruction were it; what has faulted is in the context
 * that this is about to be given.
 */
static bool is_fault_behind_overflow(int signal, const siginfo_t *info,
				     const ucontext_t *context)
{
	return comes_again(signal, info) && context_pc(context) == (uintptr_t)handle &&
	       unwind_fault(context_for_handler(context), (uintptr_t)info->si_addr);
}

static void handle(int signal, siginfo_t *info, void *context)
{
	int saved = errno;
	bool is_ours = is_fault_behind_overflow(signal, info, context) ||
		       is_for_us(signal, info, context);

	if (thread_self)
		atomic_fetch_add(is_ours ? &thread_self->taken : &thread_self->delivered,
				 1);
	if (!is_ours && !must_wait(signal, info, context))
		call_program(signal, info, context);
	errno = saved;
}

void signals_allow_faults(const ucontext_t *context)
{
	static const uint64_t faults = FAULTS;
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	if ((mask & FAULTS) != 0 && !collector_is_frozen())
		sys_sigmask(SIG_UNBLOCK, &faults, NULL);
}

/* ---- what the kernel knows ---- */

/* Our handler, as close as possible to how the program wants its own called. */
static void install(int signal, const struct sigaction *view)
{
	struct sigaction ours = { .sa_sigaction = handle };

	if (is_handler(view)) {
		ours.sa_mask = view->sa_mask;
		sigdelset(&ours.sa_mask, SIGBUS);
		ours.sa_flags = view->sa_flags & ~(int)SA_RESETHAND;
	} else {
		ours.sa_flags = SA_ONSTACK;
	}
	ours.sa_flags |= SA_SIGINFO;
	if ((FAULTS & SIGNAL_BIT(signal)) == 0)
		ours.sa_flags |= SA_RESTART; /* see restart_refuse() */
	if ((EVENTS & SIGNAL_BIT(signal)) != 0) {
		/* Nothing may interrupt us; faults of the unwinder excepted. */
		sigfillset(&ours.sa_mask);
		sigdelset(&ours.sa_mask, SIGSEGV);
		sigdelset(&ours.sa_mask, SIGBUS);
		ours.sa_flags &= ~SA_NODEFER;
	}
	real_sigaction(signal, &ours, NULL);
}

bool signals_share(int signal)
{
	struct sigaction view;

	if (signals_is_shared(signal))
		return true;
	if (real_sigaction(signal, NULL, &view) < 0 || !shared_add(signal, &view))
		return false;
	install(signal, &view);
	return true;
}

/* From now on it is blocked as the program sees it only: that is known before one that
 * waits comes. */
static void hide(int signal)
{
	uint64_t bit = SIGNAL_BIT(signal), mask = 0;

	sys_sigmask(SIG_BLOCK, NULL, &mask);
	if (thread_self)
		thread_self->blocked |= mask & bit;
	sys_sigmask(SIG_UNBLOCK, &bit, NULL);
}

static bool take(int signal)
{
	if (signals_is_shared(signal))
		return true;
	if (!signals_share(signal))
		return false;
	if ((HIDDEN & SIGNAL_BIT(signal)) != 0)
		hide(signal);
	return true;
}

bool signals_take_faults(void)
{
	if (!take(SIGSEGV) || !take(SIGBUS))
		return false;
	guard_keep_open(SIGNAL_BIT(SIGBUS));
	return true;
}

bool signals_take(void)
{
	return signals_take_faults() && take(SIGPROF);
}

bool signals_is_shared(int signal)
{
	return shared_index(signal) >= 0;
}

uint64_t signals_hidden(void)
{
	uint64_t signals = 0;

	for (int i = 0; i < shared_count(); i++)
		signals |= SIGNAL_BIT(shared_signal(i));
	return signals & HIDDEN;
}

void signals_change(int signal, const struct sigaction *action, struct sigaction *old)
{
	int index = shared_index(signal);
	struct sigaction before;
	uint64_t mask;

	if (action && is_handler(action))
		signals_leave_to_kernel(SIGNAL_BIT(signal));
	mask = collector_enter();
	before = action ? shared_change(index, action) : shared_view(index);
	if (action)
		install(signal, action);
	if (old)
		*old = before;
	collector_leave(mask);
}

bool signals_take_overflows(void)
{
	return signals_take() && take(SIGNAL_OF_OVERFLOWS);
}

bool signals_take_quiet(void)
{
	return signals_take() && take(SIGNAL_QUIET);
}

void signals_drop_overflows(void)
{
	if (signals_is_shared(SIGNAL_OF_OVERFLOWS) && !collector_is_frozen())
		waiting_drop(EVENTS, events_is_ours);
}

/* The kernel's disposition of a signal that the program ignores is inherited. */
static void change_ignored(void (*change)(int signal, const struct sigaction *view))
{
	for (int i = 0; i < shared_count(); i++) {
		struct sigaction view = shared_view(i);

		if (view.sa_handler == SIG_IGN)
			change(shared_signal(i), &view);
	}
}

static void uninstall(int signal, const struct sigaction *view)
{
	real_sigaction(signal, view, NULL);
}

void signals_give_back(uint64_t mask)
{
	change_ignored(uninstall);
	if (thread_self)
		mask |= thread_self->blocked;
	if (collector_is_frozen())
		return;
	sys_sigmask(SIG_SETMASK, &mask, NULL);
	if (thread_self)
		waiting_send(thread_self->blocked); /* goes on to wait, in the kernel */
}

void signals_take_again(void)
{
	change_ignored(install);
}
