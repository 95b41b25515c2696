/* SPDX-License-Identifier: Apache-2.0 */
/*
 * most_memory COMMAND... - prints the largest resident size of the command, or of any
 * process that it waited for, in megabytes, and its exit status
 *
 * The kernel's figure for a process includes its image before exec, a copy of the parent.
 * So the parent must be as small a program as this.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	struct rusage usage;
	int status;
	pid_t child = argc > 1 ? fork() : -1;

	if (child < 0) {
		fputs("usage: most_memory COMMAND...\n", stderr);
		return 2;
	}
	if (child == 0) {
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) < 0)
		return 2;
	printf("%.1f %d\n", (double)usage.ru_maxrss / 1024,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
