/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resident THREADS - each thread allocates and frees for 30 ms of CPU time. Prints the
 * memory of the process, in KiB, while all of them live: private, and including mapped
 * files.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX 1000

static pthread_barrier_t all_here;

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *work(void *argument)
{
	double end = cpu_seconds() + .03;

	do
		for (int i = 0; i < 100; i++)
			free(malloc(64));
	while (cpu_seconds() < end);
	pthread_barrier_wait(&all_here);
	pthread_barrier_wait(&all_here);
	return NULL;
}

static void print_resident(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long all = 0, own = 0;
	char line[200];

	while (status && fgets(line, sizeof(line), status) != NULL) {
		sscanf(line, "VmRSS: %lu", &all);
		sscanf(line, "RssAnon: %lu", &own);
	}
	printf("%lu %lu\n", own, all);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[THREADS_MAX];

	if (count < 1 || count > THREADS_MAX)
		return 1;
	pthread_barrier_init(&all_here, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, NULL) != 0)
			return 1;
	pthread_barrier_wait(&all_here);
	print_resident();
	pthread_barrier_wait(&all_here);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
