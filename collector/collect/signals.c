/* SPDX-License-Identifier: Apache-2.0 */
/* Names of signals, and the signals that other processes may send to the collector. */
#include "collector/collect/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

/* Parse "SIGUSR1", "USR1", "RTMIN+2" or "10"; 0: there is no such signal. */
static int find_signal(const char *word)
{
	uint64_t number;

	if (number_u64(&number, word))
		return number <= (uint64_t)SIGRTMAX ? (int)number : 0;
	if (strncmp(word, "SIG", 3) == 0)
		word += 3;
	if (strncmp(word, "RTMIN", 5) == 0 && (word[5] == '\0' || word[5] == '+'))
		return number_u64(&number, word[5] ? word + 6 : "0") &&
				       number <= (uint64_t)(SIGRTMAX - SIGRTMIN)
			       ? SIGRTMIN + (int)number
			       : 0;
	for (int signal = 1; signal < SIGRTMIN; signal++)
		if (sigabbrev_np(signal) && strcmp(sigabbrev_np(signal), word) == 0)
			return signal;
	return 0;
}

/* Excludes signals that cannot be caught, that report faults, or that the collector
 * uses. */
static bool can_be_shared(int signal)
{
	static const int others[] = { SIGKILL, SIGSTOP, SIGPROF, SIGSEGV, SIGBUS,
				      SIGILL,  SIGFPE,	SIGTRAP, SIGSYS,  SIGCHLD };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i] == signal)
			return false;
	return signal < __SIGRTMIN || signal >= SIGRTMIN; /* libc's: in between */
}

int signal_parse(int *signal, char letter, const char *value, size_t length)
{
	char word[16];

	snprintf(word, sizeof(word), "%.*s", (int)length, value);
	*signal = length < sizeof(word) ? find_signal(word) : 0;
	if (*signal == 0)
		return cli_error("-%c: invalid signal '%s'", letter, value);
	if (!can_be_shared(*signal))
		return cli_error("-%c: signal '%s' cannot be used", letter, value);
	return CLI_OK;
}
