/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openmp SECTION... - kernels of OpenMP with known counts and shares. Each prints its
 * result, which is the same whatever the threads do, and to the file "own" lines with
 * what is to be recorded:
 *
 *	region LINE COUNT WORK	the region at that line: how often, and the CPU seconds
 *				of its threads at work
 *	task LINE COUNT
 *	process SECONDS		the CPU time of all threads, at the end
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 2

static FILE *own;
static double worked;

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu_seconds(void)
{
	return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static double process_seconds(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* Compute without a system call. */
static __attribute__((noinline)) unsigned burn(unsigned units)
{
	volatile unsigned value = units;

	for (unsigned i = 0; i < units * 100000; i++)
		value = value * 1664525 + 1013904223;
	return value;
}

/* The same, counted as work. */
static unsigned work(unsigned units)
{
	double begin = cpu_seconds(), end;
	unsigned value = burn(units);

	end = cpu_seconds();
#pragma omp atomic
	worked += end - begin;
	return value;
}

static void region(int line, long count)
{
	fprintf(own, "region %d %ld %.3f\n", line, count, worked);
	worked = 0;
}

static void task(int line, long count)
{
	fprintf(own, "task %d %ld\n", line, count);
}

/* ---- kernels ---- */

static void independent(void)
{
	unsigned sum = 0;

	for (int round = 0; round < 5; round++) {
#pragma omp parallel for num_threads(THREADS) reduction(+ : sum) schedule(static)
		for (int i = 0; i < 40; i++)
			sum += work(10);
	}
	region(__LINE__ - 4, 5);
	printf("independent %u\n", sum);
}

static void uneven(void)
{
	unsigned sum = 0;

	for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
		sum += work(omp_get_thread_num() == 0 ? 50 : 200);
	}
	region(__LINE__ - 3, 4);
	printf("uneven %u\n", sum);
}

static void stencil(void)
{
	unsigned values[8] = { 0 };

#pragma omp parallel num_threads(THREADS)
	for (unsigned step = 0; step < 40; step++) {
#pragma omp for schedule(dynamic)
		for (unsigned i = 0; i < 8; i++)
			values[i] += work(2 + i % 2);
#pragma omp barrier
#pragma omp master
		values[step % 8] ^= step;
#pragma omp barrier
	}
	region(__LINE__ - 10, 1);
	printf("stencil %u\n", values[0] + values[7]);
}

/* A sparse product and a sum in turn, as in a solver: loops of one region that end in
 * barriers, with uneven rows. */
static void sparse(void)
{
	unsigned vector[12] = { 0 }, sum = 0;

#pragma omp parallel num_threads(THREADS)
	for (unsigned round = 0; round < 12; round++) {
#pragma omp for schedule(static)
		for (unsigned row = 0; row < 12; row++)
			vector[row] += work(1 + row % 3);
#pragma omp for reduction(+ : sum)
		for (unsigned row = 0; row < 12; row++)
			sum += vector[row] + work(1);
	}
	region(__LINE__ - 9, 1);
	printf("sparse %u\n", sum);
}

/* Grids that become coarser and finer again, with a region for each. */
static void levels(void)
{
	unsigned grid[16] = { 0 };

	for (unsigned round = 0; round < 3; round++)
		for (unsigned size = 16; size > 1; size /= 2) {
#pragma omp parallel for num_threads(THREADS) schedule(guided)
			for (unsigned i = 0; i < size; i++)
				grid[i] += work(6);
		}
	region(__LINE__ - 4, 12);
	for (unsigned size = 2; size <= 16; size *= 2) {
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 2)
		for (unsigned i = 0; i < size; i++)
			grid[i] ^= work(8);
	}
	region(__LINE__ - 4, 4);
	printf("levels %u\n", grid[0] + grid[1] + grid[15]);
}

static void shared(void)
{
	unsigned sum = 0, locked = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 20; i++) {
#pragma omp critical
		sum += work(8);
		omp_set_lock(&lock);
		locked += work(4);
		omp_unset_lock(&lock);
	}
	region(__LINE__ - 8, 1);
	omp_destroy_lock(&lock);
	printf("shared %u %u\n", sum, locked);
}

static void ordered(void)
{
	unsigned value = 1;

#pragma omp parallel for num_threads(THREADS) ordered schedule(static, 1)
	for (unsigned i = 0; i < 40; i++) {
		unsigned mine = work(5);
#pragma omp ordered
		value = value * 3 + mine + i;
	}
	region(__LINE__ - 6, 1);
	printf("ordered %u\n", value);
}

static void sections(void)
{
	unsigned first = 0, second = 0, third = 0;

	for (int round = 0; round < 3; round++) {
#pragma omp parallel sections num_threads(THREADS)
		{
#pragma omp section
			first += work(60);
#pragma omp section
			second += work(30);
#pragma omp section
			third += work(30);
		}
	}
	region(__LINE__ - 10, 3);
	printf("sections %u %u %u\n", first, second, third);
}

static void dependences(void)
{
	unsigned chain = 1, other = 2;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (unsigned i = 0; i < 30; i++) {
#pragma omp task depend(inout : chain) firstprivate(i)
		chain = chain * 5 + work(4) + i;
#pragma omp task depend(inout : other) firstprivate(i)
		other = other * 7 + work(6) + i;
	}
	region(__LINE__ - 8, 1);
	task(__LINE__ - 6, 30);
	task(__LINE__ - 5, 30);
	printf("dependences %u %u\n", chain, other);
}

static void loop_of_tasks(void)
{
	unsigned sum = 0, all = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
#pragma omp taskloop num_tasks(12)
		for (unsigned i = 0; i < 24; i++) {
			unsigned mine = work(5) + i;
#pragma omp atomic
			sum += mine;
		}
#pragma omp taskloop num_tasks(10) reduction(+ : all)
		for (unsigned i = 0; i < 20; i++)
			all += work(3) * i;
	}
	region(__LINE__ - 13, 1);
	task(__LINE__ - 11, 12);
	task(__LINE__ - 6, 10);
	printf("loop_of_tasks %u %u\n", sum, all);
}

static unsigned long fibonacci(unsigned n)
{
	unsigned long left, right;

	if (n < 2)
		return n;
#pragma omp task shared(left) if (n > 15)
	left = fibonacci(n - 1);
#pragma omp task shared(right) if (n > 15)
	right = fibonacci(n - 2);
#pragma omp taskwait
	return left + right;
}

static void recursion(void)
{
	unsigned long value = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	value = fibonacci(22);
	region(__LINE__ - 3, 1);
	task(__LINE__ - 16, 28656);
	task(__LINE__ - 15, 28656);
	printf("recursion %lu\n", value);
}

static void nested(void)
{
	unsigned sum = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
	for (int i = 0; i < 3; i++) {
		unsigned inner = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : inner)
		inner += work(25);
		sum += inner;
	}
	region(__LINE__ - 4, 3 * THREADS);
	region(__LINE__ - 8, 1);
	omp_set_max_active_levels(1);
	printf("nested %u\n", sum);
}

/* A region with one thread is one, too. */
static void alone(void)
{
	unsigned sum = 0;

	for (int i = 0; i < 7; i++) {
#pragma omp parallel if (i > 10) reduction(+ : sum)
		sum += work(5);
	}
	region(__LINE__ - 3, 7);
	printf("alone %u\n", sum);
}

static void serial(void)
{
	printf("serial %u\n", burn(300));
}

static void many(void)
{
	long sum = 0;

	for (int i = 0; i < 10000; i++) {
#pragma omp parallel num_threads(THREADS)
#pragma omp atomic
		sum++;
	}
	region(__LINE__ - 4, 10000);
	printf("many %ld\n", sum);
}

static void targeted(void)
{
	unsigned value = 3;

#pragma omp target map(tofrom : value)
	value = value * 2 + 1;
	printf("targeted %u\n", value);
}

static void detached(void)
{
	omp_event_handle_t event;
	unsigned value = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
#pragma omp task detach(event) shared(value)
		{
			value = 17;
			omp_fulfill_event(event);
		}
	}
	region(__LINE__ - 9, 1);
	task(__LINE__ - 7, 1);
	printf("detached %u\n", value);
}

/* ---- processes and threads ---- */

static void forks(void)
{
	int status;

	if (fork() == 0) {
		independent();
		exit(3);
	}
	wait(&status);
	printf("forks %d\n", WEXITSTATUS(status));
}

static void *in_thread(void *argument)
{
	unsigned *sum = argument;

#pragma omp parallel num_threads(THREADS)
#pragma omp atomic
	*sum += 1;
	return NULL;
}

static void threads(void)
{
	unsigned sum = 0;

	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, in_thread, &sum);
		pthread_join(thread, NULL);
	}
	region(__LINE__ - 16, 20);
	printf("threads %u\n", sum);
}

/* The last section: it does not return. */
static void ends(void)
{
	fclose(own);
	printf("ends\n");
	fflush(stdout);
#pragma omp parallel num_threads(THREADS)
	{
		burn(50);
		if (omp_get_thread_num() == 0)
			exit(5);
		for (;;)
			burn(1);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} kernels[] = {
	{ "independent", independent },
	{ "uneven", uneven },
	{ "stencil", stencil },
	{ "sparse", sparse },
	{ "levels", levels },
	{ "shared", shared },
	{ "ordered", ordered },
	{ "sections", sections },
	{ "dependences", dependences },
	{ "loop_of_tasks", loop_of_tasks },
	{ "recursion", recursion },
	{ "nested", nested },
	{ "alone", alone },
	{ "serial", serial },
	{ "many", many },
	{ "targeted", targeted },
	{ "detached", detached },
	{ "forks", forks },
	{ "threads", threads },
	{ "ends", ends },
};

int main(int argc, char **argv)
{
	own = fopen("own", "w");
	setvbuf(own, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		for (size_t j = 0; j < sizeof(kernels) / sizeof(kernels[0]); j++)
			if (strcmp(argv[i], kernels[j].name) == 0)
				kernels[j].run();
	fprintf(own, "process %.3f\n", process_seconds());
	return 0;
}
