/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openmp_kernels KERNEL COUNT - after the NAS benchmarks: ep, independent work; cg,
 * sparse products and sums with many barriers; mg, a stencil over levels of a grid, with
 * a region each: prints the CPU seconds of a kernel of so many rounds. region, barrier,
 * critical, task: the nanoseconds of one of these, of the first thread's clock.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define SIZE 20000
#define ROW  16

static double vector[SIZE], product[SIZE], grid[2][SIZE];
static int columns[SIZE][ROW];
static double sum;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void ep(long rounds)
{
#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < rounds; i++) {
		double x = (double)(i % 1000) / 1000, y = 0;

		for (int j = 0; j < 1000; j++)
			y += sqrt(x * j + 1);
		sum += y;
	}
}

static void cg(long rounds)
{
	for (int i = 0; i < SIZE; i++) {
		vector[i] = 1;
		for (int j = 0; j < ROW; j++)
			columns[i][j] = (i * 7 + j * 131) % SIZE;
	}
#pragma omp parallel
	for (long round = 0; round < rounds; round++) {
#pragma omp for
		for (int i = 0; i < SIZE; i++) {
			double row = 0;

			for (int j = 0; j < ROW; j++)
				row += vector[columns[i][j]];
			product[i] = row;
		}
#pragma omp for reduction(+ : sum)
		for (int i = 0; i < SIZE; i++)
			sum += product[i];
#pragma omp for
		for (int i = 0; i < SIZE; i++)
			vector[i] = product[i] / ROW;
	}
}

static void mg(long rounds)
{
	for (long round = 0; round < rounds; round++)
		for (int size = SIZE; size > 1000; size /= 2) {
#pragma omp parallel for
			for (int i = 1; i < size - 1; i++)
				grid[1][i] =
					(grid[0][i - 1] + grid[0][i] + grid[0][i + 1]) /
					3;
#pragma omp parallel for
			for (int i = 1; i < size - 1; i++)
				grid[0][i] = grid[1][i] + 1;
		}
	sum += grid[0][SIZE / 2];
}

static void region(long count)
{
	for (long i = 0; i < count; i++) {
#pragma omp parallel
		__asm__ volatile("");
	}
}

static void barrier(long count)
{
#pragma omp parallel
	for (long i = 0; i < count; i++) {
#pragma omp barrier
	}
}

static void critical(long count)
{
#pragma omp parallel num_threads(1)
	for (long i = 0; i < count; i++) {
#pragma omp critical
		sum++;
	}
}

static void task(long count)
{
#pragma omp parallel num_threads(1)
	for (long i = 0; i < count; i++) {
#pragma omp task
		__asm__ volatile("");
	}
}

static const struct {
	const char *name;
	void (*run)(long count);
	int is_construct;
} kernels[] = {
	{ "ep", ep, 0 },	 { "cg", cg, 0 },	    { "mg", mg, 0 },
	{ "region", region, 1 }, { "barrier", barrier, 1 }, { "critical", critical, 1 },
	{ "task", task, 1 },
};

int main(int argc, char **argv)
{
	long count = atol(argv[2]);
	double begin, cpu;

	region(100); /* makes the threads */
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		if (strcmp(argv[1], kernels[i].name) != 0)
			continue;
		begin = now_ns();
		cpu = cpu_seconds();
		kernels[i].run(count);
		if (kernels[i].is_construct)
			printf("%.1f\n", (now_ns() - begin) / (double)count);
		else
			printf("%.6f\n", cpu_seconds() - cpu);
	}
	return sum < 0;
}
