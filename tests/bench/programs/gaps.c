/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gaps THREADS SECONDS - the share of time lost by threads that only read the clock:
 * percent of their time in gaps between two readings that are longer than a reading
 * takes, and shorter than a thread waits when another one has displaced it.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SHORTEST_NS 400
#define LONGEST_NS  30000

static double seconds;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void *read_clock(void *percent)
{
	uint64_t begin = now(), last = begin, lost = 0, displaced = 0;
	uint64_t length = (uint64_t)(seconds * 1e9);

	while (last - begin < length) {
		uint64_t time = now(), gap = time - last;

		if (gap > LONGEST_NS)
			displaced += gap;
		else if (gap > SHORTEST_NS)
			lost += gap;
		last = time;
	}
	*(double *)percent = 100 * (double)lost / (double)(last - begin - displaced);
	return NULL;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[1]) : 0;
	pthread_t threads[64];
	double percents[64], sum = 0;

	if (count < 1 || count > 64)
		return 2;
	seconds = atof(argv[2]);
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, read_clock, &percents[i]);
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		sum += percents[i];
	}
	printf("%.4f\n", sum / count);
	return 0;
}
