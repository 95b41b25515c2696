/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of locks that cannot lead to a deadlock. */

#include "order.h"

#include <semaphore.h>

static sem_t semaphore;
static pthread_barrier_t barrier;

static void *ab_then_ba(void *unused)
{
	ab(NULL);
	return ba(NULL);
}

static int one_thread(char **arguments)
{
	IN_TURN(ab_then_ba);
	ab_then_ba(NULL);
	return 0;
}

static int gated(char **arguments)
{
	IN_TURN(gated_ab, gated_ba);
	return 0;
}

static void *writer_ab(void *unused)
{
	pthread_rwlock_wrlock(&r);
	ab(NULL);
	pthread_rwlock_unlock(&r);
	return NULL;
}

static int gate_of_writer(char **arguments)
{
	IN_TURN(writer_ab, reader_ba);
	return 0;
}

static int joined(char **arguments)
{
	pthread_join(begin(ab, NULL), NULL);
	pthread_join(begin(ba, NULL), NULL);
	return 0;
}

static int created(char **arguments)
{
	ab(NULL);
	pthread_join(begin(ba, NULL), NULL);
	return 0;
}

/* A thread creates another, which creates another. */
static void *create_ba(void *unused)
{
	pthread_join(begin(ba, NULL), NULL);
	return NULL;
}

static void *ab_and_create(void *unused)
{
	ab(NULL);
	pthread_join(begin(create_ba, NULL), NULL);
	return NULL;
}

static int descended(char **arguments)
{
	pthread_join(begin(ab_and_create, NULL), NULL);
	return 0;
}

static void *ab_and_post(void *unused)
{
	ab(NULL);
	sem_post(&semaphore);
	return NULL;
}

static void *wait_and_ba(void *unused)
{
	while (sem_wait(&semaphore) != 0)
		;
	return ba(NULL);
}

static void two_threads(routine *first, routine *second)
{
	pthread_t threads[] = { begin(first, NULL), begin(second, NULL) };

	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static int by_semaphore(char **arguments)
{
	sem_init(&semaphore, 0, 0);
	two_threads(wait_and_ba, ab_and_post);
	two_threads(ab_and_post, wait_and_ba);
	return 0;
}

static bool is_ready;

static void *ab_and_signal(void *unused)
{
	let_wait();
	ab(NULL);
	pthread_mutex_lock(&gate);
	is_ready = true;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static void *await_and_ba(void *unused)
{
	pthread_mutex_lock(&gate);
	announce();
	while (!is_ready)
		pthread_cond_wait(&condition, &gate);
	pthread_mutex_unlock(&gate);
	return ba(NULL);
}

static int by_condition(char **arguments)
{
	two_threads(await_and_ba, ab_and_signal);
	return 0;
}

/* The other thread comes when the condition is no longer waited for. */
static void *ab_and_signal_first(void *unused)
{
	ab(NULL);
	pthread_mutex_lock(&gate);
	is_ready = true;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static void *ab_and_signal_after(void *unused)
{
	ab(NULL);
	pthread_mutex_lock(&gate);
	is_ready = true;
	pthread_mutex_unlock(&gate);
	pthread_cond_broadcast(&condition);
	return NULL;
}

static int by_condition_late(char **arguments)
{
	IN_TURN(ab_and_signal_first, await_and_ba);
	return 0;
}

static int by_condition_later(char **arguments)
{
	IN_TURN(ab_and_signal_after, await_and_ba);
	return 0;
}

static void *ab_and_barrier(void *unused)
{
	ab(NULL);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void *barrier_and_ba(void *unused)
{
	pthread_barrier_wait(&barrier);
	return ba(NULL);
}

static int by_barrier(char **arguments)
{
	pthread_barrier_init(&barrier, NULL, 2);
	two_threads(ab_and_barrier, barrier_and_ba);
	return 0;
}

static void *try_ba(void *unused)
{
	struct timespec later = in_seconds(CLOCK_REALTIME, LONG_SECONDS);

	outer(&b);
	if (pthread_mutex_trylock(&a) == 0)
		unlock(&a);
	if (pthread_mutex_timedlock(&a, &later) == 0)
		unlock(&a);
	unlock(&b);
	return NULL;
}

static int tried(char **arguments)
{
	IN_TURN(ab, try_ba);
	return 0;
}

static void *read_rs(void *unused)
{
	pthread_rwlock_rdlock(&r);
	pthread_rwlock_rdlock(&s);
	pthread_rwlock_unlock(&s);
	pthread_rwlock_unlock(&r);
	return NULL;
}

static void *read_sr(void *unused)
{
	pthread_rwlock_rdlock(&s);
	pthread_rwlock_rdlock(&r);
	pthread_rwlock_unlock(&r);
	pthread_rwlock_unlock(&s);
	return NULL;
}

static int readers(char **arguments)
{
	IN_TURN(read_rs, read_sr);
	return 0;
}

static void *aba(void *argument)
{
	pthread_mutex_t *recursive = argument;

	outer(recursive);
	inner(&b);
	inner(recursive);
	unlock(recursive);
	unlock(&b);
	unlock(recursive);
	return NULL;
}

static int recursive(char **arguments)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &attributes);
	in_turn((routine *const[]){ aba, aba, NULL }, (void *const[]){ &mutex, &mutex });
	return 0;
}

static void *ab_of_other_life(void *unused)
{
	ab(NULL);
	pthread_mutex_destroy(&b);
	pthread_mutex_init(&b, NULL);
	return NULL;
}

static int destroyed(char **arguments)
{
	IN_TURN(ab_of_other_life, ba);
	return 0;
}

/* Locks that are not destroyed, but others are in the same memory. */
static pthread_mutex_t *made[2];

static pthread_mutex_t *make(void)
{
	pthread_mutex_t *mutex = malloc(sizeof(*mutex));

	*mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	return mutex;
}

static void *use_and_free(void *unused)
{
	both(made[0], made[1]);
	free(made[0]);
	free(made[1]);
	return NULL;
}

/* The block that was freed last is allocated first. */
static void *use_twice(void *unused)
{
	pthread_mutex_t *first = made[0];

	use_and_free(NULL);
	made[0] = make();
	made[1] = make();
	return made[1] == first ? NULL : made[1];
}

static int freed(char **arguments)
{
	made[0] = make();
	made[1] = make();
	IN_TURN(use_twice, use_and_free);
	return 0;
}

/* The lock that one thread obtained is released by another one. */
static void *lock_a(void *unused)
{
	outer(&a);
	atomic_fetch_add(&turn, 1);
	wait_for_turn(2);
	inner(&b);
	unlock(&b);
	return NULL;
}

static void *unlock_a(void *unused)
{
	wait_for_turn(1);
	unlock(&a);
	ba(NULL);
	atomic_fetch_add(&turn, 1);
	return NULL;
}

static int released_by_other(char **arguments)
{
	two_threads(lock_a, unlock_a);
	return 0;
}

static const struct situation situations[] = {
	{ "one_thread", one_thread },
	{ "gated", gated },
	{ "gate_of_writer", gate_of_writer },
	{ "joined", joined },
	{ "created", created },
	{ "descended", descended },
	{ "by_semaphore", by_semaphore },
	{ "by_condition", by_condition },
	{ "by_condition_late", by_condition_late },
	{ "by_condition_later", by_condition_later },
	{ "by_barrier", by_barrier },
	{ "tried", tried },
	{ "readers", readers },
	{ "recursive", recursive },
	{ "destroyed", destroyed },
	{ "freed", freed },
	{ "released_by_other", released_by_other },
	{},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
