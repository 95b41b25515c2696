/* SPDX-License-Identifier: Apache-2.0 */
/* A handler that counts signals, and notes the last one. */
#ifndef TESTS_NOTED_H
#define TESTS_NOTED_H

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t count, code, value, signal_number;

static void note(int signal, siginfo_t *info, void *context)
{
	count++;
	if (info->si_code == SI_TIMER)
		count += info->si_overrun; /* ticks come late on a busy machine */
	code = info->si_code;
	value = info->si_value.sival_int;
	signal_number = signal;
}

static inline void set(int signal, int flags)
{
	struct sigaction action = { .sa_sigaction = note,
				    .sa_flags = SA_SIGINFO | flags };

	sigaction(signal, &action, NULL);
}

#endif
