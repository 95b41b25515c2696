/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for a processor; each process prints how long, as the scheduler tells
 * it. */

#include "situation.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define MANY	200

extern void __collector_sample(const char *label) __attribute__((weak));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begin;
/* By threads that ended; by the main thread, before main() */
static double waited, before;

static void keep_to_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static double wall_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int open_own(void)
{
	return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

static double read_own(int fd)
{
	unsigned long long run, wait = 0;
	char line[128] = "";

	if (pread(fd, line, sizeof(line) - 1, 0) > 0)
		sscanf(line, "%llu %llu", &run, &wait);
	close(fd);
	return (double)wait / 1e9;
}

/* Stays ready to run for so long by the clock on the wall. */
static void *compete(void *seconds)
{
	int fd = open_own();
	double end;

	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&begin);
	end = wall_seconds() + *(double *)seconds;
	while (wall_seconds() < end)
		burnt++;
	pthread_mutex_lock(&lock);
	waited += read_own(fd);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void crowd(double seconds, void (*in_between)(void), void (*meanwhile)(void))
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&begin, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, compete, &seconds) != 0)
			exit(1);
	pthread_barrier_wait(&begin);
	if (in_between)
		in_between();
	pthread_barrier_wait(&begin);
	if (meanwhile)
		meanwhile();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int report(void)
{
	printf("%.6f\n", waited + read_own(open_own()) - before);
	fflush(stdout);
	return 0;
}

static int crowded(char **arguments)
{
	crowd(arguments[0] ? atof(arguments[0]) : .6, NULL, NULL);
	return report();
}

static void take_samples(void)
{
	for (int i = 0; i < 100 && __collector_sample; i++) {
		usleep(5000);
		__collector_sample("one of many");
	}
}

static int sampled_often(char **arguments)
{
	crowd(.6, NULL, take_samples);
	return report();
}

static int one_after_the_other(char **arguments)
{
	for (int i = 0; i < 10; i++)
		crowd(.06, NULL, NULL);
	return report();
}

static void *sleep_thread(void *argument)
{
	usleep(300000);
	pthread_mutex_lock(&lock);
	waited += read_own(open_own());
	pthread_mutex_unlock(&lock);
	return argument;
}

static int sleeping(char **arguments)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, sleep_thread, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return report();
}

static void *live_shortly(void *argument)
{
	double end = wall_seconds() + .0001, own;

	while (wall_seconds() < end)
		burnt++;
	own = read_own(open_own());
	pthread_mutex_lock(&lock);
	waited += own;
	pthread_mutex_unlock(&lock);
	return argument;
}

/* Each thread waits until those before it have ended. */
static int short_lives(char **arguments)
{
	pthread_t threads[THREADS];

	for (int count = atoi(arguments[0]); count > 0; count -= THREADS) {
		for (int i = 0; i < THREADS; i++)
			if (pthread_create(&threads[i], NULL, live_shortly, NULL) != 0)
				return 1;
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	return report();
}

static int with_child(char **arguments)
{
	pid_t child;

	crowd(.3, NULL, NULL);
	child = fork();
	if (child == 0) {
		waited = before = 0;
		crowd(.6, NULL, NULL);
		_exit(report());
	}
	waitpid(child, NULL, 0);
	return report();
}

/* The thread that waited before the exec is the same after it. */
static int executes(char **arguments)
{
	crowd(.3, NULL, NULL);
	burn(.1);
	report();
	execl("/proc/self/exe", "wait_cpu", "crowded", NULL);
	return 1;
}

static void use_up_descriptors(void)
{
	const struct rlimit few = { 32, 32 };

	setrlimit(RLIMIT_NOFILE, &few);
	while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
		;
}

static int no_descriptors(char **arguments)
{
	int fd = open_own();

	crowd(.6, use_up_descriptors, NULL);
	printf("%.6f\n", waited + read_own(fd) - before);
	return 0;
}

static void *wait_thread(void *argument)
{
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&begin);
	return argument;
}

/* Prints how long it took. */
static int many_samples(char **arguments)
{
	double started = wall_seconds();
	pthread_t threads[MANY];

	pthread_barrier_init(&begin, NULL, MANY + 1);
	for (int i = 0; i < MANY; i++)
		if (pthread_create(&threads[i], NULL, wait_thread, NULL) != 0)
			return 1;
	pthread_barrier_wait(&begin);
	for (int i = 0; i < 50 && __collector_sample; i++)
		__collector_sample("one of many");
	pthread_barrier_wait(&begin);
	for (int i = 0; i < MANY; i++)
		pthread_join(threads[i], NULL);
	printf("%.6f\n", wall_seconds() - started);
	return 0;
}

static const struct situation situations[] = {
	{ "crowded", crowded },
	{ "one_after_the_other", one_after_the_other },
	{ "sampled_often", sampled_often },
	{ "sleeping", sleeping },
	{ "short_lives", short_lives },
	{ "with_child", with_child },
	{ "executes", executes },
	{ "no_descriptors", no_descriptors },
	{ "many_samples", many_samples },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	keep_to_one_processor();
	before = read_own(open_own());
	return run_situation(situations, argc, argv);
}
