/* SPDX-License-Identifier: Apache-2.0 */
/* asked THREADS SAMPLES SECONDS: prints the milliseconds of CPU time that a sample takes
 * while there are so many threads, with so much time between two; the median. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern void __collector_sample(const char *label) __attribute__((weak));

static void *wait_for_ever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

static int start(int count)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 1; i < count; i++)
		if (pthread_create(&thread, &small, wait_for_ever, NULL) != 0)
			return -1;
	return 0;
}

int main(int argc, char *argv[])
{
	int samples = argc == 4 ? atoi(argv[2]) : 0;
	double *taken = calloc((size_t)samples + 1, sizeof(*taken));

	if (samples <= 0 || !taken || !__collector_sample || start(atoi(argv[1])) < 0)
		return 2;
	for (int i = 0; i < samples; i++) {
		usleep((useconds_t)(1e6 * atof(argv[3])));
		taken[i] = cpu_ms();
		__collector_sample("asked");
		taken[i] = cpu_ms() - taken[i];
	}
	qsort(taken, (size_t)samples, sizeof(*taken), compare);
	printf("%.4f\n", taken[samples / 2]);
	return 0;
}
