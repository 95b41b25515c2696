/* SPDX-License-Identifier: Apache-2.0 */
/* naps - wait in three ways, and print how many seconds of each: in a sleep, for a
 * thread's byte in a pipe, and for the processor that another process uses, too; at last
 * the time of the main thread from its beginning, and its CPU time. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static double read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double elapsed(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static double used(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static __attribute__((noinline)) double nap(void)
{
	double begin = elapsed();

	for (int i = 0; i < 50; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	return elapsed() - begin;
}

static void *write_late(void *unused)
{
	usleep(400000);
	if (write(ends[1], "", 1) != 1)
		perror("write");
	return unused;
}

static __attribute__((noinline)) double read_pipe(void)
{
	double begin = elapsed();
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		perror("read");
	return elapsed() - begin;
}

static __attribute__((noinline)) double compete(void)
{
	double begin = elapsed(), begin_used = used();

	while (used() < begin_used + .3)
		;
	return elapsed() - begin - .3;
}

int main(void)
{
	double begin = elapsed(), slept, awaited, displaced;
	cpu_set_t one;
	pthread_t thread;
	pid_t rival;

	if (pipe(ends) < 0)
		return 1;
	slept = nap();
	pthread_create(&thread, NULL, write_late, NULL);
	awaited = read_pipe();
	pthread_join(thread, NULL);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	rival = fork();
	if (rival == 0)
		for (;;)
			;
	displaced = compete();
	kill(rival, SIGKILL);
	waitpid(rival, NULL, 0);
	printf("%d %.3f %.3f %.3f %.3f %.3f\n", getpid(), slept, awaited, displaced,
	       elapsed() - begin, used());
	return 0;
}
