/* SPDX-License-Identifier: Apache-2.0 */
/* busy SECONDS - threads that come, work and go, and children with threads of their own,
 * one after the other */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS	       3
#define CHILD_SECONDS  0.4
#define THREAD_SECONDS 0.2

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *argument)
{
	double end = now() + THREAD_SECONDS;
	volatile double sum = 0;

	while (now() < end) {
		void *memory = malloc(64);

		for (int i = 0; i < 1000; i++)
			sum += i;
		free(memory);
	}
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL) != 0)
			abort();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void run_until(double end)
{
	while (now() < end)
		run_threads();
}

int main(int argc, char *argv[])
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);

	while (now() < end) {
		pid_t child = fork();

		if (child == 0) {
			run_until(now() + CHILD_SECONDS);
			_exit(0);
		}
		run_threads();
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
