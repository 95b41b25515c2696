/* SPDX-License-Identifier: Apache-2.0 */
/* Threads in all the ways they can begin and end. */

#include "situation.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* The time that threads have used when their functions end */
static _Atomic long used_inside_ns;

static long thread_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * 1000000000L + used.tv_nsec;
}

static void *burn_thread(void *seconds)
{
	burn(*(double *)seconds);
	used_inside_ns += thread_ns();
	return seconds;
}

static void join_all(pthread_t *threads, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* Runs count threads, of which `together` run concurrently. */
static int run_threads(int count, int together, double seconds,
		       const pthread_attr_t *attributes)
{
	pthread_t threads[together];

	for (int done = 0; done < count; done += together) {
		for (int i = 0; i < together; i++)
			if (pthread_create(&threads[i], attributes, burn_thread,
					   &seconds) != 0)
				return 1;
		join_all(threads, together);
	}
	return 0;
}

static int run_given(char **arguments)
{
	return run_threads(atoi(arguments[0]), atoi(arguments[1]), atof(arguments[2]),
			   NULL);
}

static double process_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Prints the total for the tests of attribution: threads measured COUNT TOGETHER SECONDS.
 */
static int measured(char **arguments)
{
	int rc = run_given(arguments);

	printf("%.6f\n", process_seconds());
	return rc;
}

/* The same, and after it the total without the ends of threads. */
static int measured_inside(char **arguments)
{
	int rc = run_given(arguments);

	printf("%.6f ", process_seconds());
	printf("%.6f\n", (double)(used_inside_ns + thread_ns()) / 1e9);
	return rc;
}

static unsigned long mix(unsigned long value, unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		value = value * 6364136223846793005UL + 1442695040888963407UL;
	return value;
}

static __attribute__((noinline)) unsigned long mix_in_pieces(unsigned long value)
{
	for (int i = 0; i < 100000; i++)
		value ^= mix(value, 10000);
	return value;
}

static void *mix_thread(void *argument)
{
	return (void *)mix_in_pieces((unsigned long)argument);
}

/* Does a fixed amount of work in two threads, for measuring how much CPU time a recording
 * adds. */
static int fixed_work(char **arguments)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, mix_thread, NULL);
	join_all(threads, 2);
	return 0;
}

static int busy(char **arguments)
{
	return run_threads(3, 3, .1, NULL);
}

static int many(char **arguments)
{
	return run_threads(300, 300, .0005, NULL);
}

static int thousand(char **arguments)
{
	return run_threads(1000, 1000, .0002, NULL);
}

/* Five thousand threads that end almost as soon as they begin. */
static int short_lived(char **arguments)
{
	return run_threads(5000, 4, .00005, NULL);
}

static int one_after_the_other(char **arguments)
{
	return run_threads(500, 1, .0005, NULL);
}

static int small_stacks(char **arguments)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) != 0)
		return 1;
	return run_threads(4, 4, .05, &attributes);
}

static int detached(char **arguments)
{
	static double seconds = .05;
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread, &attributes, burn_thread, &seconds);
	burn(.15);
	return 0;
}

static int burn_c11(void *seconds)
{
	burn(*(double *)seconds);
	return 42;
}

static int c11(char **arguments)
{
	double seconds = .1;
	thrd_t thread;
	int result = 0;

	if (thrd_create(&thread, burn_c11, &seconds) != thrd_success)
		return 1;
	thrd_join(thread, &result);
	printf("result %d\n", result);
	return result;
}

static void *exit_by_function(void *argument)
{
	burn(.05);
	pthread_exit((void *)7);
}

static int pthread_exits(char **arguments)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, exit_by_function, NULL);
	pthread_join(thread, &result);
	printf("result %ld\n", (long)result);
	return 0;
}

static void *burn_for_ever(void *argument)
{
	for (;;) {
		burn(.001);
		pthread_testcancel();
	}
}

static int cancelled(char **arguments)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, burn_for_ever, NULL);
	burn(.05);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
	return 0;
}

/* The main thread ends first, and the process with the last thread. */
static int main_ends_first(char **arguments)
{
	static double seconds = .1;
	pthread_t thread;

	pthread_create(&thread, NULL, burn_thread, &seconds);
	puts("main ends");
	pthread_exit(NULL);
}

static void *exit_process(void *argument)
{
	burn(.05);
	puts("a thread ends all");
	exit(5);
}

static int thread_exits_process(char **arguments)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exit_process, NULL);
	for (;;)
		pause();
}

static pthread_key_t key;

static void count_down(void *value)
{
	long rounds = (long)value;

	printf("round %ld\n", rounds);
	burn(.01);
	if (rounds > 1)
		pthread_setspecific(key, (void *)(rounds - 1));
}

static void *with_destructor(void *argument)
{
	pthread_setspecific(key, (void *)3);
	return NULL;
}

static int destructors(char **arguments)
{
	pthread_t thread;

	pthread_key_create(&key, count_down);
	pthread_create(&thread, NULL, with_destructor, NULL);
	pthread_join(thread, NULL);
	return 0;
}

static void *sleep_thread(void *unused)
{
	usleep(200000);
	return NULL;
}

/* Three threads wait beside the main one, which then waits alone, and so does a child. */
static int sleeping(char **arguments)
{
	pthread_t threads[3];
	pid_t child;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, sleep_thread, NULL);
	child = fork();
	if (child == 0) {
		burn(.02);
		sleep_thread(NULL);
		_exit(0);
	}
	join_all(threads, 3);
	sleep_thread(NULL);
	waitpid(child, NULL, 0);
	return 0;
}

static const struct situation situations[] = {
	{ "measured", measured },
	{ "measured_inside", measured_inside },
	{ "fixed_work", fixed_work },
	{ "busy", busy },
	{ "many", many },
	{ "thousand", thousand },
	{ "short_lived", short_lived },
	{ "one_after_the_other", one_after_the_other },
	{ "small_stacks", small_stacks },
	{ "detached", detached },
	{ "c11", c11 },
	{ "pthread_exits", pthread_exits },
	{ "cancelled", cancelled },
	{ "main_ends_first", main_ends_first },
	{ "thread_exits_process", thread_exits_process },
	{ "destructors", destructors },
	{ "sleeping", sleeping },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
