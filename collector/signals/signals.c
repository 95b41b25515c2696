/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/signals/signals.h"

#include <errno.h>
#include <string.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/restart.h"
#include "collector/signals/shared.h"
#include "collector/signals/waiting.h"
#include "collector/threads/thread.h"

#define STOPS	(SIGNAL_BIT(SIGTSTP) | SIGNAL_BIT(SIGTTIN) | SIGNAL_BIT(SIGTTOU))
#define IGNORED (SIGNAL_BIT(SIGCONT) | SIGNAL_BIT(SIGURG) | SIGNAL_BIT(SIGWINCH))

_Atomic uint64_t signals_left_to_kernel;
static void (*handler)(int, siginfo_t *, void *);

/* Avoid a sanitizer's sigaction: the kernel must call the handler directly, without its
 * delay. */
static int real_sigaction(int signal, const struct sigaction *action,
			  struct sigaction *old)
{
	LIBC(sigaction, "GLIBC_2.2.5", int,
	     (int, const struct sigaction *, struct sigaction *));

	return real(signal, action, old);
}

/* ---- the program's disposition ---- */

static bool is_ignored(int signal, const struct sigaction *view)
{
	return view->sa_handler == SIG_IGN ||
	       (view->sa_handler == SIG_DFL && (IGNORED & SIGNAL_BIT(signal)) != 0);
}

bool signals_is_forced(int signal, const siginfo_t *info)
{
	return ((SIGNALS_FAULTS | SIGNAL_BIT(SIGTRAP)) & SIGNAL_BIT(signal)) != 0 &&
	       info->si_code > 0;
}

/* Returns true for a fault, which recurs if its handler does nothing about it. */
static bool comes_again(int signal, const siginfo_t *info)
{
	return (SIGNALS_FAULTS & SIGNAL_BIT(signal)) != 0 &&
	       signals_is_forced(signal, info);
}

static void install(int signal, const struct sigaction *view);

static void send_again(int signal, const siginfo_t *info)
{
	if (!comes_again(signal, info))
		sys_tgkill(process.pid, sys_gettid(), signal);
}

/* Act as the kernel would without the collector: a fault recurs, another signal is sent
 * again. */
static void take_default_action(int signal, const siginfo_t *info,
				const struct sigaction *view)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	uint64_t bit = SIGNAL_BIT(signal);

	real_sigaction(signal, &action, NULL);
	send_again(signal, info);
	if ((STOPS & bit) != 0) {
		sys_sigmask(SIG_UNBLOCK, &bit, NULL); /* stops here until SIGCONT */
		install(signal, view);
	}
}

/* Handlers of event signals are called with all signals blocked: set the mask that the
 * program expects. The other signals have it already. */
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

/* A signal that is no longer shared is delivered again, as the program has asked. */
void signals_call_program(int signal, siginfo_t *info, ucontext_t *context)
{
	int index = shared_index(signal);
	struct sigaction view;

	if (index < 0) {
		send_again(signal, info);
		return;
	}
	view = shared_view(index);
	if (is_ignored(signal, &view) && !signals_is_forced(signal, info)) {
		restart_interrupted_call(context, true);
		return;
	}
	if (!shared_is_handler(&view) ||
	    (signals_is_forced(signal, info) && thread_blocks(signal))) {
		take_default_action(signal, info, &view);
		return;
	}
	if (!shared_take_handler(index, &view)) {
		signals_call_program(signal, info, context);
		return;
	}
	if ((SIGNALS_EVENTS & SIGNAL_BIT(signal)) != 0)
		use_mask(signal, &view, context);
	if ((SIGNALS_FAULTS & SIGNAL_BIT(signal)) == 0)
		restart_refuse(context, (view.sa_flags & SA_RESTART) != 0);
	if ((view.sa_flags & SA_SIGINFO) != 0)
		view.sa_sigaction(signal, info, context);
	else
		view.sa_handler(signal);
}

void signals_allow_faults(const ucontext_t *context)
{
	static const uint64_t faults = SIGNALS_FAULTS;
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	if ((mask & SIGNALS_FAULTS) != 0 && !collector_is_frozen())
		sys_sigmask(SIG_UNBLOCK, &faults, NULL);
}

/* ---- what the kernel knows ---- */

/* Install the collector's handler, with the program's mask and flags as far as possible.
 */
static void install(int signal, const struct sigaction *view)
{
	struct sigaction ours = { .sa_sigaction = handler };

	if (shared_is_handler(view)) {
		ours.sa_mask = view->sa_mask;
		sigdelset(&ours.sa_mask, SIGBUS);
		ours.sa_flags = view->sa_flags & ~(int)SA_RESETHAND;
	} else {
		ours.sa_flags = SA_ONSTACK;
	}
	ours.sa_flags |= SA_SIGINFO;
	if ((SIGNALS_FAULTS & SIGNAL_BIT(signal)) == 0)
		ours.sa_flags |= SA_RESTART; /* see restart_refuse() */
	if ((SIGNALS_EVENTS & SIGNAL_BIT(signal)) != 0) {
		/* Block everything except faults of the unwinder. */
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

static bool are_held;

/* From now on the program blocks the signal in its own view only, which is set
 * before a pending signal is delivered. */
static void hide(int signal)
{
	uint64_t bit = SIGNAL_BIT(signal), mask = 0;

	if (are_held)
		return;
	sys_sigmask(SIG_BLOCK, NULL, &mask);
	if (thread_self)
		thread_self->blocked |= mask & bit;
	sys_sigmask(SIG_UNBLOCK, &bit, NULL);
}

uint64_t signals_hold(void)
{
	uint64_t mask = 0, held;

	are_held = true;
	sys_sigmask(SIG_BLOCK, NULL, &mask);
	held = (mask & ~SIGNALS_HIDDEN) | SIGNALS_EVENTS;
	sys_sigmask(SIG_SETMASK, &held, NULL);
	return mask;
}

void signals_release(uint64_t mask, uint64_t blocked)
{
	are_held = false;
	if (thread_self)
		thread_self->blocked = (thread_self->blocked | blocked) &
				       signals_hidden();
	sys_sigmask(SIG_SETMASK, &mask, NULL);
}

static bool take(int signal)
{
	if (signals_is_shared(signal))
		return true;
	if (!signals_share(signal))
		return false;
	if ((SIGNALS_HIDDEN & SIGNAL_BIT(signal)) != 0)
		hide(signal);
	return true;
}

static bool take_faults(void)
{
	if (!take(SIGSEGV) || !take(SIGBUS))
		return false;
	guard_keep_open(SIGNAL_BIT(SIGBUS));
	return true;
}

/* A signal that was kept at the end of another recording may have another handler now. */
static void forget_replaced(void)
{
	for (int i = 0; i < shared_count(); i++) {
		struct sigaction now;

		if (shared_signal(i) != 0 &&
		    real_sigaction(shared_signal(i), NULL, &now) == 0 &&
		    now.sa_sigaction != handler)
			shared_remove(i);
	}
}

void signals_open(void (*our_handler)(int, siginfo_t *, void *))
{
	handler = our_handler;
	forget_replaced();
	take_faults();
}

bool signals_take(void)
{
	return take_faults() && take(SIGPROF);
}

bool signals_is_shared(int signal)
{
	return shared_index(signal) >= 0;
}

uint64_t signals_hidden(void)
{
	uint64_t signals = 0;

	for (int i = 0; i < shared_count(); i++)
		if (shared_signal(i) != 0)
			signals |= SIGNAL_BIT(shared_signal(i));
	return signals & SIGNALS_HIDDEN;
}

void signals_change(int signal, const struct sigaction *action, struct sigaction *old)
{
	int index = shared_index(signal);
	struct sigaction before;
	uint64_t mask;

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

/* The new image inherits ignored signals from the kernel, which must know them. */
static void change_ignored(void (*change)(int signal, const struct sigaction *view))
{
	for (int i = 0; i < shared_count(); i++) {
		struct sigaction view = shared_view(i);

		if (shared_signal(i) != 0 && view.sa_handler == SIG_IGN)
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
		waiting_send(thread_self->blocked); /* they then wait in the kernel */
}

/* The kernel forgets what is pending of an ignored signal. */
static void return_to_program(int index, uint64_t pending)
{
	int signal = shared_signal(index);
	struct sigaction view = shared_view(index);
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	if ((pending & SIGNALS_EVENTS & SIGNAL_BIT(signal)) != 0)
		real_sigaction(signal, &ignore, NULL);
	real_sigaction(signal, &view, NULL);
	shared_remove(index);
}

void signals_return(uint64_t pending, uint64_t kept)
{
	for (int i = 0; i < shared_count(); i++)
		if (shared_signal(i) != 0 && (SIGNAL_BIT(shared_signal(i)) & kept) == 0)
			return_to_program(i, pending);
	guard_keep_open(0);
	atomic_store(&signals_left_to_kernel, 0);
}

void signals_take_again(void)
{
	change_ignored(install);
}
