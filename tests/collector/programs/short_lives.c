/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that live for a few milliseconds. */

#include "situation.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

/* A gap is longer than a piece of work, and shorter than a tick. */
#define PIECE_SECONDS 10e-6
#define GAP_SECONDS   60e-6

/* Burns for so long by the process's own clock, without the gaps that the collector's
 * handlers make in it. Returns their time. */
static double burn_without_gaps(double seconds)
{
	double start = cpu_seconds(), now = start, gaps = 0;

	while (now - start - gaps < seconds) {
		double last = now;

		burn(PIECE_SECONDS);
		now = cpu_seconds();
		if (now - last > GAP_SECONDS)
			gaps += now - last - PIECE_SECONDS;
	}
	return gaps;
}

/* On some machines, none of them lives for a tick of the kernel. */
static int short_forks(char **arguments)
{
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			burn_without_gaps(.005);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* Burns, and prints the CPU time that the process itself sees it used, and that of the
 * gaps. */
static int burn_and_tell(double seconds)
{
	double start = cpu_seconds(), gaps = burn_without_gaps(seconds);

	return printf("%.6f %.6f\n", cpu_seconds() - start - gaps, gaps) > 0 ? 0 : 1;
}

static int burns(char **arguments)
{
	return burn_and_tell(atof(arguments[0]));
}

/* For the tests of short lives: measured_forks COUNT SECONDS. Prints the CPU time of all
 * processes in the last line. */
static int measure(char **arguments, void (*run)(char *seconds))
{
	struct rusage own, children;

	for (int i = 0; i < atoi(arguments[0]); i++) {
		if (fork() == 0)
			run(arguments[1]);
		wait(NULL);
	}
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	timeradd(&own.ru_utime, &own.ru_stime, &own.ru_utime);
	timeradd(&own.ru_utime, &children.ru_utime, &own.ru_utime);
	timeradd(&own.ru_utime, &children.ru_stime, &own.ru_utime);
	printf("all %ld.%06ld\n", own.ru_utime.tv_sec, own.ru_utime.tv_usec);
	return 0;
}

static void end_after_burning(char *seconds)
{
	burn_and_tell(atof(seconds));
	fflush(stdout);
	_exit(0);
}

static void execute_burns(char *seconds)
{
	execl(self, self, "burns", seconds, NULL);
	_exit(1);
}

static int measured_forks(char **arguments)
{
	return measure(arguments, end_after_burning);
}

static int measured_programs(char **arguments)
{
	return measure(arguments, execute_burns);
}

static const struct situation situations[] = {
	{ "short_forks", short_forks },
	{ "burns", burns },
	{ "measured_forks", measured_forks },
	{ "measured_programs", measured_programs },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	self = argv[0];
	return run_situation(situations, argc, argv);
}
