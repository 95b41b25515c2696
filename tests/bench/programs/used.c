/* SPDX-License-Identifier: Apache-2.0 */
/*
 * used COMMAND... - run a command without its output, and print the CPU time in seconds
 * that it and what it waited for have used.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	int status = 0;
	pid_t child;

	if (argc < 2)
		return 2;
	child = vfork();
	if (child == 0) {
		int nothing = open("/dev/null", O_RDWR);

		dup2(nothing, 1);
		dup2(nothing, 2);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child || status != 0)
		return 1;
	timeradd(&usage.ru_utime, &usage.ru_stime, &usage.ru_utime);
	printf("%ld.%06ld\n", usage.ru_utime.tv_sec, usage.ru_utime.tv_usec);
	return 0;
}
