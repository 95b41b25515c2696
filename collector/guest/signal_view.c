/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions by which the program sets and reads dispositions and masks. For signals
 * that the collector shares, the program sees its own settings. Signals of events are
 * never really blocked, so that threads which block everything are recorded, too.
 */

#include <errno.h>
#include <string.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/process/tsc.h"
#include "collector/recording/control.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/sources/blocked.h"
#include "collector/sources/events.h"
#include "collector/threads/thread.h"

#define SIGNALS 64

typedef void (*handler)(int);

/* The kernel uses only the first word of a set. */
static uint64_t word_of(const sigset_t *set)
{
	uint64_t word;

	memcpy(&word, set, sizeof(word));
	return word;
}

static void set_word(sigset_t *set, uint64_t word)
{
	memcpy(set, &word, sizeof(word));
}

/* Hidden signals that the program blocks in its own view only. */
static uint64_t kept_open(void)
{
	return signals_hidden() & ~atomic_load(&signals_left_to_kernel);
}

/* ---- dispositions ---- */

static int real_sigaction(int signal, const struct sigaction *action,
			  struct sigaction *old)
{
	REAL(sigaction, "GLIBC_2.2.5", int,
	     (int, const struct sigaction *, struct sigaction *));

	return real(signal, action, old);
}

static void change_shared(int signal, const struct sigaction *action,
			  struct sigaction *old)
{
	if (action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
		blocked_leave_to_kernel(SIGNAL_BIT(signal));
	signals_change(signal, action, old);
}

static int change(int signal, const struct sigaction *action, struct sigaction *old)
{
	/* The hidden signals that the handler of each signal blocks while it runs. */
	static _Atomic uint64_t blocked[SIGNALS + 1];
	uint64_t hidden = kept_open(), before, named = 0;
	struct sigaction filtered;
	int rc;

	if (signals_is_shared(signal)) {
		change_shared(signal, action, old);
		return 0;
	}
	if (hidden == 0 || signal < 1 || signal > SIGNALS)
		return real_sigaction(signal, action, old);
	before = atomic_load(&blocked[signal]);
	if (action) {
		filtered = *action;
		named = word_of(&filtered.sa_mask) & hidden;
		set_word(&filtered.sa_mask, word_of(&filtered.sa_mask) & ~hidden);
	}
	rc = real_sigaction(signal, action ? &filtered : NULL, old);
	if (rc == 0 && old)
		set_word(&old->sa_mask, word_of(&old->sa_mask) | before);
	if (rc == 0 && action)
		atomic_store(&blocked[signal], named);
	return rc;
}

INTERPOSE(int, sigaction_2_2_5, "sigaction@@GLIBC_2.2.5",
	  (int signal, const struct sigaction *action, struct sigaction *old))
{
	return change(signal, action, old);
}

INTERPOSE(int, sigaction_internal_2_2_5, "__sigaction@@GLIBC_2.2.5",
	  (int signal, const struct sigaction *action, struct sigaction *old))
{
	return change(signal, action, old);
}

static handler set_handler(int signal, handler handler, int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags }, old;

	sigemptyset(&action.sa_mask);
	if ((flags & SA_NODEFER) == 0)
		sigaddset(&action.sa_mask, signal);
	change_shared(signal, &action, &old);
	return old.sa_handler;
}

/* Define a function like signal(), which sets a handler with these flags. */
#define SIGNAL_FUNCTION(local, symbol, flags)                         \
	INTERPOSE(handler, local, #symbol "@@GLIBC_2.2.5",            \
		  (int signal, handler function))                     \
	{                                                             \
		REAL(symbol, "GLIBC_2.2.5", handler, (int, handler)); \
                                                                      \
		if (signals_is_shared(signal) && function != SIG_ERR) \
			return set_handler(signal, function, flags);  \
		return real(signal, function);                        \
	}

SIGNAL_FUNCTION(signal_2_2_5, signal, SA_RESTART)
SIGNAL_FUNCTION(bsd_signal_2_2_5, bsd_signal, SA_RESTART)
SIGNAL_FUNCTION(ssignal_2_2_5, ssignal, SA_RESTART)
SIGNAL_FUNCTION(sysv_signal_2_2_5, sysv_signal, (int)SA_RESETHAND | SA_NODEFER)
SIGNAL_FUNCTION(sysv_signal_internal_2_2_5, __sysv_signal, (int)SA_RESETHAND | SA_NODEFER)

INTERPOSE(int, sigignore_2_2_5, "sigignore@@GLIBC_2.2.5", (int signal))
{
	REAL(sigignore, "GLIBC_2.2.5", int, (int));

	if (!signals_is_shared(signal))
		return real(signal);
	set_handler(signal, SIG_IGN, 0);
	return 0;
}

INTERPOSE(int, siginterrupt_2_2_5, "siginterrupt@@GLIBC_2.2.5",
	  (int signal, int interrupts))
{
	REAL(siginterrupt, "GLIBC_2.2.5", int, (int, int));
	struct sigaction action;

	if (!signals_is_shared(signal))
		return real(signal, interrupts);
	signals_change(signal, NULL, &action);
	action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART
				     : action.sa_flags | SA_RESTART;
	change_shared(signal, &action, NULL);
	return 0;
}

/* ---- masks ---- */

typedef int (*mask_function)(int, const sigset_t *, sigset_t *);

static uint64_t blocked_after(int how, uint64_t before, uint64_t named)
{
	if (how == SIG_SETMASK)
		return named;
	return how == SIG_BLOCK ? before | named : before & ~named;
}

static int change_mask(mask_function real, int how, const sigset_t *set, sigset_t *old)
{
	struct thread *thread = thread_self;
	uint64_t hidden = !thread ? 0 : signals_hidden(), before, named = 0;
	uint64_t released;
	sigset_t filtered;
	int rc;

	if (hidden == 0)
		return real(how, set, old);
	before = thread->blocked;
	if (set) {
		filtered = *set;
		named = word_of(set) & hidden;
		/* A handler may run with hidden ones blocked, and be left by a jump. */
		if (how != SIG_UNBLOCK)
			set_word(&filtered, word_of(set) & ~hidden);
	}
	rc = real(how, set ? &filtered : NULL, old);
	if (rc != 0)
		return rc;
	if (old)
		set_word(old, word_of(old) | before);
	if (!set)
		return 0;
	thread->blocked = blocked_after(how, before, named);
	released = before & ~thread->blocked;
	if ((released & atomic_load(&signals_left_to_kernel)) != 0)
		sys_sigmask(SIG_UNBLOCK, &released, NULL);
	waiting_release(released);
	return 0;
}

#define MASK_FUNCTION(local, symbol, at, version)                                       \
	INTERPOSE(int, local, #symbol at version,                                       \
		  (int how, const sigset_t *set, sigset_t *old))                        \
	{                                                                               \
		static struct real real = { #symbol, version, NULL };                   \
		return change_mask((mask_function)real_function(&real), how, set, old); \
	}

MASK_FUNCTION(sigprocmask_2_2_5, sigprocmask, "@@", "GLIBC_2.2.5")
MASK_FUNCTION(pthread_sigmask_2_2_5, pthread_sigmask, "@", "GLIBC_2.2.5")
MASK_FUNCTION(pthread_sigmask_2_32, pthread_sigmask, "@@", "GLIBC_2.32")

static int change_one(mask_function real, int how, int signal)
{
	sigset_t set;

	sigemptyset(&set);
	if (sigaddset(&set, signal) < 0)
		return -1;
	return change_mask(real, how, &set, NULL);
}

#define HOLD_FUNCTION(local, symbol, how)                                            \
	INTERPOSE(int, local, #symbol "@@GLIBC_2.2.5", (int signal))                 \
	{                                                                            \
		static struct real real = { "sigprocmask", "GLIBC_2.2.5", NULL };    \
		return change_one((mask_function)real_function(&real), how, signal); \
	}

HOLD_FUNCTION(sighold_2_2_5, sighold, SIG_BLOCK)
HOLD_FUNCTION(sigrelse_2_2_5, sigrelse, SIG_UNBLOCK)

INTERPOSE(int, sigpending_2_2_5, "sigpending@@GLIBC_2.2.5", (sigset_t * set))
{
	REAL(sigpending, "GLIBC_2.2.5", int, (sigset_t *));
	int rc = real(set);

	if (rc == 0)
		set_word(set, (word_of(set) & ~kept_open()) | waiting_set());
	return rc;
}

INTERPOSE(int, signalfd_2_7, "signalfd@@GLIBC_2.7",
	  (int fd, const sigset_t *set, int flags))
{
	REAL(signalfd, "GLIBC_2.7", int, (int, const sigset_t *, int));
	int rc = real(fd, set, flags);

	if (rc >= 0)
		blocked_leave_to_kernel(word_of(set));
	return rc;
}

/* ---- waiting for signals: the kernel must really block them ---- */

typedef int (*wait_function)(const sigset_t *, siginfo_t *, const struct timespec *);

static int wait_and_skip_events(wait_function real, const sigset_t *set, siginfo_t *info,
				const struct timespec *limit, uint64_t hidden)
{
	siginfo_t own;
	int rc, saved;

	if (!info)
		info = &own;
	sys_sigmask(SIG_BLOCK, &hidden, NULL);
	rc = waiting_take(hidden, info); /* now this thread's handler adds none */
	while (rc == 0 ||
	       (rc > 0 && (SIGNAL_BIT(rc) & hidden) != 0 && events_is_ours(info)))
		rc = real(set, info, limit);
	saved = errno;
	sys_sigmask(SIG_UNBLOCK, &hidden, NULL);
	errno = saved;
	return rc;
}

static int wait_once(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
	static struct real function = { "sigtimedwait", "GLIBC_2.2.5", NULL };
	wait_function real = (wait_function)real_function(&function);
	uint64_t hidden = word_of(set) & signals_hidden();

	if (hidden == 0)
		return real(set, info, limit);
	blocked_leave_to_kernel(hidden);
	return wait_and_skip_events(real, set, info, limit, hidden);
}

/* Returns the time that is left of the limit since began; 0 if it is over. */
static struct timespec rest_of(const struct timespec *limit, uint64_t began)
{
	uint64_t all = timespec_ns(limit), gone = collector_now() - began;
	uint64_t rest = all > gone ? all - gone : 0;

	return (struct timespec){ (time_t)(rest / NS_PER_SECOND),
				  (long)(rest % NS_PER_SECOND) };
}

/* The collector takes the signals of -l and -y that other processes send, even if the
 * program waits for them. */
static int wait_for(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
	bool is_limited = limit != NULL;
	uint64_t began = is_limited ? collector_now() : 0;
	struct timespec rest = is_limited ? *limit : (struct timespec){ 0 };
	siginfo_t own;
	int rc;

	if (!info)
		info = &own;
	while ((rc = wait_once(set, info, is_limited ? &rest : NULL)) > 0 &&
	       control_take_signal(rc, info))
		if (is_limited)
			rest = rest_of(limit, began);
	return rc;
}

INTERPOSE(int, sigtimedwait_2_2_5, "sigtimedwait@@GLIBC_2.2.5",
	  (const sigset_t *set, siginfo_t *info, const struct timespec *limit))
{
	return wait_for(set, info, limit);
}

INTERPOSE(int, sigwaitinfo_2_2_5, "sigwaitinfo@@GLIBC_2.2.5",
	  (const sigset_t *set, siginfo_t *info))
{
	return wait_for(set, info, NULL);
}

INTERPOSE(int, sigwait_2_2_5, "sigwait@@GLIBC_2.2.5", (const sigset_t *set, int *signal))
{
	int saved = errno, rc;

	do
		rc = wait_for(set, NULL, NULL);
	while (rc < 0 && errno == EINTR);
	if (rc > 0)
		*signal = rc;
	rc = rc < 0 ? errno : 0;
	errno = saved;
	return rc;
}
