/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/launch/execute.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static void execute_shell(const char *path, char *const words[])
{
	size_t count = 0;

	while (words[count])
		count++;

	const char *shell_words[count + 2];

	shell_words[0] = "sh";
	shell_words[1] = path;
	memcpy(shell_words + 2, words + 1, count * sizeof(*words));
	execv("/bin/sh", (char *const *)shell_words);
}

int execute(const char *path, char *const words[], bool is_script)
{
	execv(path, words);
	if (errno == ENOEXEC && is_script)
		execute_shell(path, words);
	return errno;
}
