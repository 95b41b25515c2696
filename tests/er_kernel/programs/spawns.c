/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spawns COUNT PROGRAM - run the program so many times, one after the other, and print
 * the number and the CPU time in microseconds of each process, by the kernel's account.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long microseconds(const struct timeval *time)
{
	return time->tv_sec * 1000000L + time->tv_usec;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0;

	for (int i = 0; i < count; i++) {
		struct rusage usage;
		int status;
		pid_t child = fork();

		if (child == 0) {
			execv(argv[2], argv + 2);
			_exit(127);
		}
		if (wait4(child, &status, 0, &usage) != child || status != 0)
			return 1;
		printf("%d %ld\n", (int)child,
		       microseconds(&usage.ru_utime) + microseconds(&usage.ru_stime));
	}
	return count == 0;
}
