/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/interrupts.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "libexpt/base/time.h"

#define REPEAT_TIME (NS_PER_SECOND / 20) /* in which the same one may come again */

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static uint64_t taken_ns; /* when an interrupt was taken last, 0: none was */

#define COUNT (sizeof(numbers) / sizeof(*numbers))

/* A signal that is ignored waits as well while it is blocked. */
static bool counts(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

static void list_signals(sigset_t *signals)
{
	sigemptyset(signals);
	for (size_t i = 0; i < COUNT; i++)
		if (counts(numbers[i]))
			sigaddset(signals, numbers[i]);
}

void interrupts_hold(void)
{
	sigset_t signals;

	signal(SIGCHLD, SIG_DFL);
	list_signals(&signals);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
}

void interrupts_hold_all(sigset_t *before)
{
	static const int faults[] = { SIGSEGV, SIGBUS,	SIGILL, SIGFPE,
				      SIGSYS,  SIGTRAP, SIGABRT };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&all, faults[i]);
	sigprocmask(SIG_SETMASK, &all, before);
}

int interrupts_take(void)
{
	static const struct timespec limit = { .tv_nsec = 100000000 };
	sigset_t signals;
	int number;

	list_signals(&signals);
	sigaddset(&signals, SIGCHLD);
	number = sigtimedwait(&signals, NULL, &limit);
	if (number < 0 || number == SIGCHLD)
		return 0;
	taken_ns = time_now_ns();
	return number;
}

/* Take away what is the same interrupt: timeout(1), for one, sends its signal twice. */
static void drop_repeated(void)
{
	static const struct timespec none = { 0 };
	sigset_t signals;

	if (taken_ns == 0 || time_now_ns() - taken_ns > REPEAT_TIME)
		return;
	list_signals(&signals);
	while (sigtimedwait(&signals, NULL, &none) > 0)
		;
}

/* Whether the signal is among those that wait, and counts. */
static bool is_there(const sigset_t *waiting, int number)
{
	return sigismember(waiting, number) && counts(number);
}

bool interrupts_are_there(void)
{
	sigset_t waiting;

	drop_repeated();
	sigpending(&waiting);
	for (size_t i = 0; i < COUNT; i++)
		if (is_there(&waiting, numbers[i]))
			return true;
	return false;
}

void interrupts_pass_on(pid_t process)
{
	sigset_t waiting;

	drop_repeated();
	sigpending(&waiting);
	for (size_t i = 0; i < COUNT; i++)
		if (is_there(&waiting, numbers[i]))
			kill(process, numbers[i]);
}
