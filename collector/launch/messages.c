/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"

/* -1: messages go to the standard error. */
static int given_stderr = -1, file = -1;

int messages_redirect(const char *path)
{
	file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666);
	if (file < 0)
		return cli_error("-O '%s': %s", path, strerrordesc_np(errno));
	given_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	messages_after_exec();
	return CLI_OK;
}

void messages_before_exec(void)
{
	if (given_stderr >= 0)
		dup2(given_stderr, STDERR_FILENO);
	else if (file >= 0) /* collect was given no standard error */
		close(STDERR_FILENO);
}

void messages_after_exec(void)
{
	if (file >= 0)
		dup2(file, STDERR_FILENO);
}

static void ignore(int signal)
{
}

/* A handler ends with the exec; ignoring the signal would be inherited. */
void messages_survive_broken_pipes(void)
{
	const struct sigaction survive = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGPIPE, &survive, NULL);
}
