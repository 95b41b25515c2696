/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/interrupts.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
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
	sigaddset(signals, SIGCHLD);
	for (size_t i = 0; i < COUNT; i++)
		if (counts(numbers[i]))
			sigaddset(signals, numbers[i]);
}

void interrupts_hold(void)
{
	sigset_t signals;

	signal(SIGCHLD, SIG_DFL);
	list_signals(&signals);
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
	number = sigtimedwait(&signals, NULL, &limit);
	return number < 0 || number == SIGCHLD ? 0 : number;
}

/* Whether the signal is among those that wait, and counts. */
static bool is_there(const sigset_t *waiting, int number)
{
	return sigismember(waiting, number) && counts(number);
}

bool interrupts_are_there(void)
{
	sigset_t waiting;

	sigpending(&waiting);
	for (size_t i = 0; i < COUNT; i++)
		if (is_there(&waiting, numbers[i]))
			return true;
	return false;
}

void interrupts_pass_on(pid_t process)
{
	sigset_t waiting;

	sigpending(&waiting);
	for (size_t i = 0; i < COUNT; i++)
		if (is_there(&waiting, numbers[i]))
			kill(process, numbers[i]);
}
