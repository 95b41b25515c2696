/* SPDX-License-Identifier: Apache-2.0 */
/* hold PID SECONDS - stop the first thread of a process for so long; others go on. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

int main(int argc, char *argv[])
{
	pid_t pid = argc > 2 ? (pid_t)strtol(argv[1], NULL, 10) : 0;
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 0;
	struct timespec time = { (time_t)seconds,
				 (long)((seconds - (double)(time_t)seconds) * 1e9) };
	int status;

	if (pid <= 0 || ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0 ||
	    ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) < 0 ||
	    waitpid(pid, &status, __WALL) != pid) {
		perror("hold");
		return 1;
	}
	while (nanosleep(&time, &time) < 0)
		;
	return ptrace(PTRACE_DETACH, pid, NULL, NULL) < 0;
}
