/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of a stack: nanoseconds of a walk at depth 10, 30 and 100, warm; and
 * in a signal handler at depth 10, with the rows forgotten before each walk (cold).
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collector/unwind/unwind.h"

#define WALKS	   20000
#define COLD_WALKS 501

static uint64_t pcs[256];
static double best_ns;
static double handler_ns;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	const struct unwind_bounds unknown = { 0 };
	enum unwind_end end;
	double start = now_ns();
	size_t count = unwind_stack(pcs, 256, context, &unknown, &end);

	handler_ns = now_ns() - start;
	if (end != UNWIND_WHOLE || count < 10)
		abort();
}

static void measure_warm(long depth)
{
	const struct unwind_bounds unknown = { 0 };
	enum unwind_end end;

	best_ns = 1e9;
	for (int round = 0; round < 15; round++) {
		double start = now_ns(), ns;
		size_t count = 0;

		for (int i = 0; i < WALKS; i++)
			count += unwind_here(pcs, (size_t)depth, &unknown, &end);
		ns = (now_ns() - start) / WALKS;
		best_ns = ns < best_ns ? ns : best_ns;
		if (count != (size_t)depth * WALKS)
			abort();
	}
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void measure_cold(long depth)
{
	static double samples[COLD_WALKS];

	for (int i = 0; i < COLD_WALKS; i++) {
		unwind_forget();
		raise(SIGUSR1);
		samples[i] = handler_ns;
	}
	qsort(samples, COLD_WALKS, sizeof(*samples), compare);
	best_ns = samples[COLD_WALKS / 2];
}

/* Three functions with different frames, so that a stack does not repeat a single row. */
typedef void (*measure)(long);
static void descend_a(long levels, long depth, measure measure);
static void descend_b(long levels, long depth, measure measure);
static volatile long sink;

static __attribute__((noinline)) void descend_c(long levels, long depth, measure measure)
{
	volatile char frame[200] = { 0 };

	if (levels <= 0)
		measure(depth);
	else
		descend_a(levels - 1, depth, measure);
	sink += frame[depth & 1];
}

static __attribute__((noinline)) void descend_b(long levels, long depth, measure measure)
{
	if (levels <= 0)
		measure(depth);
	else
		descend_c(levels - 1, depth, measure);
	sink++;
}

static __attribute__((noinline)) void descend_a(long levels, long depth, measure measure)
{
	volatile long frame[3] = { levels, depth, sink };

	if (levels <= 0)
		measure(depth);
	else
		descend_b(levels - 1, depth, measure);
	sink += frame[0] + frame[1] * frame[2];
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	static const long depths[] = { 10, 30, 100 };

	if (!unwind_init())
		return 1;
	sigaction(SIGUSR1, &action, NULL);
	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		descend_a(depths[i], depths[i], measure_warm);
		printf("walk, warm, depth %ld: %.0f ns\n", depths[i], best_ns);
	}
	descend_a(5, 10, measure_cold);
	printf("walk, cold, in a handler: %.0f ns\n", best_ns);
	return 0;
}
