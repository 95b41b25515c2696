/* SPDX-License-Identifier: Apache-2.0 */
/* Spends its time in its own functions, in ordinary ones of libc, and in those that libc
 * selects by processor, in two threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE	 4096
#define NOINLINE __attribute__((noinline))

static volatile unsigned long sink;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

NOINLINE void sort_numbers(int *numbers)
{
	for (int i = 0; i < SIZE; i++)
		numbers[i] = (int)((unsigned)i * 2654435761u >> 8);
	qsort(numbers, SIZE, sizeof(*numbers), compare);
}

NOINLINE void copy_bytes(char *to, const char *from)
{
	for (int i = 0; i < 200; i++) {
		memcpy(to, from, SIZE * 4);
		sink += strlen(to);
	}
}

NOINLINE void own_work(void)
{
	for (int i = 0; i < 300000; i++)
		sink += (unsigned long)i;
}

NOINLINE void allocate(void)
{
	for (int i = 0; i < 2000; i++)
		free(malloc((size_t)i + 1));
}

static void *work(void *argument)
{
	struct timespec used;
	char *to = malloc(SIZE * 4), *from = malloc(SIZE * 4);

	memset(from, 'x', SIZE * 4);
	from[SIZE * 4 - 1] = '\0';
	do {
		sort_numbers((int *)(void *)to);
		copy_bytes(to, from);
		own_work();
		allocate();
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while (used.tv_sec == 0 && used.tv_nsec < 500000000);
	free(to);
	free(from);
	return argument;
}

int main(void)
{
	pthread_t other;

	pthread_create(&other, NULL, work, NULL);
	work(NULL);
	pthread_join(other, NULL);
	return sink == 0;
}
