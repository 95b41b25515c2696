/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile int caught_signal;

static void note_signal(int signal)
{
	caught_signal = signal;
}

const volatile int *cli_stop_flag(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct sigaction before;

		/* nohup(1) and background jobs ignore some signals: keep that. */
		if (sigaction(signals[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	return &caught_signal;
}

void cli_stop_if_asked(void)
{
	if (!caught_signal)
		return;
	signal(caught_signal, SIG_DFL);
	raise(caught_signal);
}

void cli_stop_clear(void)
{
	caught_signal = 0;
}
