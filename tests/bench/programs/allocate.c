/* SPDX-License-Identifier: Apache-2.0 */
/* allocate THREADS PAIRS DEPTH - each thread allocates, fills and frees PAIRS blocks,
 * DEPTH functions deep */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 16

static long pairs;
static int depth;

static __attribute__((noinline)) long work(void)
{
	char *kept[KEPT] = { NULL };
	unsigned random = 1;
	long sum = 0;

	for (long i = 0; i < pairs; i++) {
		char **slot = &kept[i % KEPT];
		size_t size;

		free(*slot);
		random = random * 1103515245 + 12345;
		size = 16 + (random >> 16) % 512;
		*slot = malloc(size);
		memset(*slot, (int)i, size);
		sum += (*slot)[size / 2];
	}
	for (int i = 0; i < KEPT; i++)
		free(kept[i]);
	return sum;
}

static __attribute__((noinline)) long descend(int more)
{
	/* The addition after the call keeps it from becoming a jump. */
	return more > 0 ? descend(more - 1) + more : work();
}

static void *run(void *unused)
{
	return (void *)descend(depth);
}

int main(int argc, char *argv[])
{
	int count = argc == 4 ? atoi(argv[1]) : 0;
	pthread_t threads[64];

	if (count < 1 || count > 64) {
		fputs("usage: allocate THREADS PAIRS DEPTH\n", stderr);
		return 2;
	}
	pairs = atol(argv[2]);
	depth = atoi(argv[3]);
	for (int i = 1; i < count; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	run(NULL);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
