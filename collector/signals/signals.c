/* SPDX-License-Identifier: Apache-2.0 */
/* The handler of the signals we share with the program. */

#include "collector/signals/signals.h"

#include <errno.h>
#include <string.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/collector.h"
#include "collector/recording/control.h"
#include "collector/signals/restart.h"
#include "collector/signals/waiting.h"
#include "collector/sources/clock.h"
#include "collector/sources/events.h"
#include "collector/threads/thread.h"
#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

#define SHARED_MAX 7
#define FAULTS	   (SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS))
#define STOPS	   (SIGNAL_BIT(SIGTSTP) | SIGNAL_BIT(SIGTTIN) | SIGNAL_BIT(SIGTTOU))
#define IGNORED	   (SIGNAL_BIT(SIGCONT) | SIGNAL_BIT(SIGURG) | SIGNAL_BIT(SIGWINCH))

#define EVENTS                                                   \
	(SIGNAL_BIT(SIGPROF) | SIGNAL_BIT(SIGNAL_OF_OVERFLOWS) | \
	 SIGNAL_BIT(SIGNAL_OF_FILES))
#define HIDDEN \
	(EVENTS | SIGNAL_BIT(SIGBUS)) /* a store into a file of ours may end in it */

#define RESTORER 0x04000000 /* the kernel shows it to whoever asks */

static int shared_signals[SHARED_MAX];
static _Atomic int shared_count;
/* What the program has asked for. Read in the handler: replaced as a whole. */
static struct sigaction slots[SHARED_MAX][2];
static _Atomic(struct sigaction *) views[SHARED_MAX];

/* The kernel must call us, and not a sanitizer that delays signals. */
static int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	LIBC(sigaction, "GLIBC_2.2.5", int,
	     (int, const struct sigaction *, struct sigaction *));

	return real(signal, action, old);
}

static int index_of(int signal)
{
	for (int i = 0; i < atomic_load(&shared_count); i++)
		if (shared_signals[i] == signal)
			return i;
	return -1;
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

/* For those of events our own mask is in force; the others run under the program's anyway. */
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

static void call_program(int signal, siginfo_t *info, ucontext_t *context)
{
	int index = index_of(signal);
	struct sigaction view = *atomic_load(&views[index]);

	if (is_ignored(signal, &view) && !is_forced(signal, info)) {
		restart_interrupted_call(context, true);
		return;
	}
	if (!is_handler(&view) || (is_forced(signal, info) && is_blocked(signal))) {
		take_default_action(signal, info, &view);
		return;
	}
	if ((view.sa_flags & (int)SA_RESETHAND) != 0)
		atomic_load(&views[index])->sa_handler = SIG_DFL;
	if ((EVENTS & SIGNAL_BIT(signal)) != 0)
		use_mask(signal, &view, context);
	if ((FAULTS & SIGNAL_BIT(signal)) == 0 && (view.sa_flags & SA_RESTART) == 0)
		restart_refuse(context);
	if ((view.sa_flags & SA_SIGINFO) != 0)
		view.sa_sigaction(signal, info, context);
	else
		view.sa_handler(signal);
}

/* ---- while the program reads SIGPROF by signalfd() ---- */

static _Atomic uint64_t read_as_files;

uint64_t signals_read_as_files(void)
{
	return atomic_load(&read_as_files);
}

/* It waits in the kernel, where the file finds it: this thread blocks it really from here on, and its clock
 * has the other signal. */
static void leave_to_kernel(int signal, const siginfo_t *info, ucontext_t *context)
{
	static const uint64_t overflows = SIGNAL_BIT(SIGNAL_OF_OVERFLOWS);
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	thread_self->blocked |= mask & overflows;
	mask = (mask | SIGNAL_BIT(signal)) & ~overflows;
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	clock_change_signal(thread_self);
	if (info->si_code == SI_TKILL)
		system_call(SYS_rt_tgsigqueueinfo, process.pid, sys_gettid(), signal,
			    (long)info, 0, 0);
	else
		system_call(SYS_rt_sigqueueinfo, process.pid, signal, (long)info, 0, 0, 0);
}

void signals_begin_to_read(uint64_t signals)
{
	if ((signals & SIGNAL_BIT(SIGPROF)) == 0 || !signals_is_shared(SIGPROF) ||
	    collector_is_frozen() || !signals_take_overflows())
		return;
	atomic_fetch_or(&read_as_files, SIGNAL_BIT(SIGPROF));
	if (is_blocked(SIGPROF))
		waiting_send(SIGNAL_BIT(SIGPROF));
}

static bool must_wait(int signal, const siginfo_t *info, ucontext_t *context)
{
	if ((HIDDEN & SIGNAL_BIT(signal)) == 0 || !is_blocked(signal) ||
	    is_forced(signal, info))
		return false;
	if ((read_as_files & SIGNAL_BIT(signal)) != 0 && !collector_is_frozen())
		leave_to_kernel(signal, info, context);
	else
		waiting_put(signal, info);
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
 * An overflow that waits because it is blocked, as where a walk takes its time, is delivered ahead of a fault:
 * the kernel does not look at the mask then. The fault is told as if our handler's first instruction were it;
 * what has faulted is in the context that this is about to be given.
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
	int i = atomic_load(&shared_count);

	if (signals_is_shared(signal))
		return true;
	if (i == SHARED_MAX || real_sigaction(signal, NULL, &slots[i][0]) < 0)
		return false;
	shared_signals[i] = signal;
	atomic_store(&views[i], &slots[i][0]);
	atomic_store(&shared_count, i + 1);
	install(signal, &slots[i][0]);
	return true;
}

/* From now on it is blocked as the program sees it only: that is known before one that waits comes. */
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
	return take(SIGSEGV) && take(SIGBUS);
}

bool signals_take(void)
{
	return signals_take_faults() && take(SIGPROF);
}

bool signals_is_shared(int signal)
{
	return index_of(signal) >= 0;
}

uint64_t signals_hidden(void)
{
	uint64_t signals = 0;

	for (int i = 0; i < atomic_load(&shared_count); i++)
		signals |= SIGNAL_BIT(shared_signals[i]);
	return signals & HIDDEN;
}

void signals_change(int signal, const struct sigaction *action, struct sigaction *old)
{
	int index = index_of(signal);
	uint64_t mask = collector_enter();
	struct sigaction *now = atomic_load(&views[index]);
	struct sigaction *next = now == &slots[index][0] ? &slots[index][1]
							 : &slots[index][0];
	struct sigaction before = *now;

	if (action) {
		*next = *action;
		next->sa_flags |= RESTORER;
		atomic_store(&views[index], next);
		install(signal, next);
	}
	if (old)
		*old = before;
	collector_leave(mask);
}

bool signals_take_overflows(void)
{
	return signals_take() && take(SIGNAL_OF_OVERFLOWS);
}

bool signals_take_files(void)
{
	return signals_take_overflows() && take(SIGNAL_OF_FILES);
}

void signals_drop_overflows(void)
{
	static const uint64_t events = EVENTS;
	static const struct timespec at_once;
	siginfo_t info;

	if (!signals_is_shared(SIGNAL_OF_OVERFLOWS) || collector_is_frozen())
		return;
	while (system_call(SYS_rt_sigtimedwait, (long)&events, (long)&info,
			   (long)&at_once, sizeof(events), 0, 0) > 0)
		if (!events_is_ours(&info))
			waiting_put(info.si_signo, &info);
}

void signals_give_back(uint64_t mask)
{
	for (int i = 0; i < atomic_load(&shared_count); i++)
		if (atomic_load(&views[i])->sa_handler == SIG_IGN)
			real_sigaction(shared_signals[i], atomic_load(&views[i]), NULL);
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
	for (int i = 0; i < atomic_load(&shared_count); i++)
		if (atomic_load(&views[i])->sa_handler == SIG_IGN)
			install(shared_signals[i], atomic_load(&views[i]));
}
