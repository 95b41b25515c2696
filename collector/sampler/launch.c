/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   erkit-sampler -l HELPER TO FROM PATH COUNT ARGUMENT... - VARIABLE...
 *
 * posix_spawn executes this instead of PATH. HELPER is a process with the ends TO and
 * FROM of two pipes, which are opened through /proc, so that nothing has to be inherited.
 * The helper is told that we are here, answers when the sampler is ready, and learns the
 * result of the exec from the end of the pipe, or an errno.
 */

#include "collector/sampler/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int open_end(const char *helper, const char *fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/fd/%s", helper, fd);
	return open(path, flags | O_CLOEXEC);
}

/* False: the helper cannot be reached, and must not wait. */
static bool wait_for_sampler(int to, int from)
{
	int32_t word = 0;

	return to >= 0 && from >= 0 && write(to, &word, sizeof(word)) == sizeof(word) &&
	       read(from, &word, sizeof(word)) == sizeof(word);
}

int launch(int count, char *words[])
{
	int to, from, arguments;
	int32_t error;

	if (count < 5)
		return 2;
	arguments = atoi(words[4]);
	to = open_end(words[0], words[1], O_WRONLY);
	from = open_end(words[0], words[2], O_RDONLY);
	if (!wait_for_sampler(to, from))
		kill((pid_t)atoi(words[0]), SIGKILL);
	/* The word between the two lists is overwritten by the NULL. */
	words[5 + arguments] = NULL;
	execve(words[3], words + 5, words + 6 + arguments);
	error = errno;
	if (to >= 0 && write(to, &error, sizeof(error)) != sizeof(error))
		error = 0; /* the helper is gone */
	return 127;
}
