/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures what stacks cost inside a real program, and how many of them are whole.
 * Preloaded, it walks at every tick of the CPU timer and appends a line to the file
 * COST_OUT when the program ends. The times are those in a handler: rows and caches are
 * as the program left them.
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "collector/unwind/unwind.h"
#include "tests/collector/preload/dlopen.h"

#define SAMPLES 100000

static double samples[SAMPLES];
static size_t sample_count, whole, frames;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
	static uint64_t pcs[2048];
	const struct unwind_bounds unknown = { 0 };
	enum unwind_end end;
	double start = now_ns();
	size_t count = unwind_stack(pcs, 2048, context, &unknown, &end);

	if (sample_count == SAMPLES)
		return;
	samples[sample_count++] = now_ns() - start;
	whole += end == UNWIND_WHOLE;
	frames += count;
}

static void on_fault(int signal, siginfo_t *info, void *argument)
{
	if (!unwind_fault(argument, (uintptr_t)info->si_addr))
		_exit(99);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	sigaction(signal, &action, NULL);
}

__attribute__((constructor)) static void start(void)
{
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };

	if (!getenv("COST_OUT") || !unwind_init())
		return;
	unsetenv("LD_PRELOAD");
	handle(SIGSEGV, on_fault);
	handle(SIGBUS, on_fault);
	handle(SIGPROF, on_tick);
	setitimer(ITIMER_PROF, &timer, NULL);
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

__attribute__((destructor)) static void finish(void)
{
	struct itimerval none = { { 0, 0 }, { 0, 0 } };
	FILE *out;

	setitimer(ITIMER_PROF, &none, NULL);
	if (!getenv("COST_OUT") || !sample_count ||
	    !(out = fopen(getenv("COST_OUT"), "a")))
		return;
	qsort(samples, sample_count, sizeof(*samples), compare);
	fprintf(out,
		"samples %zu whole %.2f %% depth %.1f median %.0f ns, 90 %% below %.0f "
		"ns\n",
		sample_count, 100.0 * (double)whole / (double)sample_count,
		(double)frames / (double)sample_count, samples[sample_count / 2],
		samples[sample_count * 9 / 10]);
	fclose(out);
}
