/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases of a program: each ends in a sample with a label, and the last one is not
 * recorded.
 *
 *	cc phases.c -lcollectorAPI && collect ./a.out
 *	er_print -sample_detail -functions test.1.er
 */

#include <collectorAPI.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 400000

static int numbers[COUNT];

static void read_input(void)
{
	unsigned state = 1;

	for (int i = 0; i < COUNT; i++) {
		state = state * 1103515245 + 12345;
		numbers[i] = (int)(state >> 16);
	}
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	long sum = 0;

	read_input();
	collector_sample("input is read");
	qsort(numbers, COUNT, sizeof(numbers[0]), compare);
	collector_sample("sorted");
	collector_pause();
	for (int i = 0; i < COUNT; i++)
		sum += numbers[i];
	printf("%ld\n", sum);
	return 0;
}
