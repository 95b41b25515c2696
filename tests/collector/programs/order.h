/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders of locks. Threads take their turns by a counter that no library sees, unless a
 * situation is about what they see: so nothing is known of which one comes first.
 */
#ifndef TESTS_ORDER_H
#define TESTS_ORDER_H

#include "waiting.h"

#include <stdbool.h>

#define THREADS_MAX 16
#define NOINLINE    __attribute__((noinline, noclone, unused))

static __attribute__((unused)) pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
					       b = PTHREAD_MUTEX_INITIALIZER,
					       gate = PTHREAD_MUTEX_INITIALIZER;
static __attribute__((unused)) pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER,
						s = PTHREAD_RWLOCK_INITIALIZER;
static __attribute__((unused)) pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

/* ---- turns ---- */

typedef void *routine(void *argument);

struct turn {
	routine *routine;
	void *argument;
	int number;
};

static atomic_int turn;

static inline void wait_for_turn(int number)
{
	while (atomic_load(&turn) < number)
		sleep_ms(1);
}

static inline void *run_in_turn(void *argument)
{
	struct turn *mine = argument;

	wait_for_turn(mine->number);
	mine->routine(mine->argument);
	atomic_fetch_add(&turn, 1);
	return NULL;
}

/* Run each in a thread, one after the other, though all threads exist at the same time.
 */
static inline void in_turn(routine *const *routines, void *const *arguments)
{
	struct turn turns[THREADS_MAX];
	pthread_t threads[THREADS_MAX];
	int count = 0;

	for (; routines[count]; count++) {
		turns[count] = (struct turn){ routines[count],
					      arguments ? arguments[count] : NULL,
					      count };
		threads[count] = begin(run_in_turn, &turns[count]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

#define IN_TURN(...) in_turn((routine *const[]){ __VA_ARGS__, NULL }, NULL)

/* ---- calls with names of their own in the stacks ---- */

NOINLINE static void outer(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	__asm__ volatile("# outer");
}

NOINLINE static void inner(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	__asm__ volatile("# inner");
}

static inline void unlock(pthread_mutex_t *mutex)
{
	pthread_mutex_unlock(mutex);
}

NOINLINE static void *both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	outer(first);
	inner(second);
	unlock(second);
	unlock(first);
	return NULL;
}

NOINLINE static void *ab(void *unused)
{
	both(&a, &b);
	__asm__ volatile("");
	return NULL;
}

NOINLINE static void *ba(void *unused)
{
	both(&b, &a);
	__asm__ volatile("");
	return NULL;
}

/* ---- the same with a further lock ---- */

static inline void *gated_ab(void *unused)
{
	pthread_mutex_lock(&gate);
	ab(NULL);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static inline void *gated_ba(void *unused)
{
	pthread_mutex_lock(&gate);
	ba(NULL);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static inline void *reader_ba(void *unused)
{
	pthread_rwlock_rdlock(&r);
	ba(NULL);
	pthread_rwlock_unlock(&r);
	return NULL;
}

#endif
