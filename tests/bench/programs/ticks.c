/* SPDX-License-Identifier: Apache-2.0 */
/* ticks PER-SECOND THREADS - print how much longer threads compute while the kernel's
 * clock of the CPU time of each sends it a signal whose handler does nothing: the least
 * that a recording by such signals costs here */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 400000000L
#define PAIRS  5

static long rate;
static bool has_timer;

static volatile sig_atomic_t signals;

static void count(int number)
{
	(void)number;
	signals++;
}

/* The same event as that of a recording: a period below the kernel's tick needs one. */
static int start_timer(void)
{
	struct perf_event_attr event = {
		.size = sizeof(event),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = (uint64_t)(1000000000 / rate),
		.wakeup_events = 1,
		.exclude_kernel = 1,
	};
	const struct f_owner_ex owner = { F_OWNER_TID, gettid() };
	int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);

	if (fd < 0 || fcntl(fd, F_SETSIG, SIGPROF) < 0 ||
	    fcntl(fd, F_SETOWN_EX, &owner) < 0 || fcntl(fd, F_SETFL, O_ASYNC) < 0)
		exit(1);
	return fd;
}

static void *compute(void *unused)
{
	int timer = -1;
	volatile double sum = 0;

	if (has_timer)
		timer = start_timer();
	for (long i = 0; i < ROUNDS; i++)
		sum += (double)i;
	if (has_timer)
		close(timer);
	return unused;
}

static double cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double measure(bool wants_timer, int threads)
{
	pthread_t ids[64];
	double before = cpu_time();

	has_timer = wants_timer;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, compute, NULL) != 0)
			exit(1);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return cpu_time() - before;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char *argv[])
{
	const struct sigaction handler = { .sa_handler = count, .sa_flags = SA_RESTART };
	double ratios[PAIRS];
	int threads = argc == 3 ? atoi(argv[2]) : 0;

	rate = argc == 3 ? atol(argv[1]) : 0;
	if (rate < 1 || threads < 1 || threads > 64)
		return 2;
	sigaction(SIGPROF, &handler, NULL);
	for (int i = 0; i < PAIRS; i++) {
		double alone = measure(false, threads);

		ratios[i] = measure(true, threads) / alone;
	}
	qsort(ratios, PAIRS, sizeof(*ratios), compare);
	printf("%.4f\n", ratios[PAIRS / 2]);
	return signals == 0;
}
