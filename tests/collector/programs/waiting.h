/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of threads: one waits, and the other releases it some time after it is seen to
 * sleep. */
#ifndef TESTS_WAITING_H
#define TESTS_WAITING_H

#include "situation.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define HELD_MS 50

static inline void sleep_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&time, &time) != 0)
		;
}

/* ---- waiting and releasing ---- */

static _Atomic pid_t waiter;

/* The waiter calls this right before the call in question. */
static inline void announce(void)
{
	atomic_store(&waiter, (pid_t)syscall(SYS_gettid));
}

static inline char state_of(pid_t thread)
{
	char path[64], line[512], *name;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)thread);
	file = fopen(path, "r");
	if (!file)
		return '?';
	length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	name = strrchr(line, ')');
	return name ? name[2] : '?';
}

/* Returns some time after the waiter has fallen asleep in the only call in which it can.
 */
static inline void let_wait(void)
{
	while (atomic_load(&waiter) == 0 || state_of(atomic_load(&waiter)) != 'S')
		sleep_ms(1);
	sleep_ms(HELD_MS);
	atomic_store(&waiter, 0);
}

static inline pthread_t begin(void *(*function)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, argument) != 0)
		exit(1);
	return thread;
}

static inline void end(pthread_t thread)
{
	void *result;

	if (pthread_join(thread, &result) != 0)
		exit(1);
	printf("waiter: %ld\n", (long)result);
}

static inline struct timespec in_seconds(clockid_t clock, long seconds)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += seconds;
	return time;
}

#define LONG_SECONDS 300

#endif
