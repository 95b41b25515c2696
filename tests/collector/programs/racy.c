/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of two threads, for the thread sanitizer: some race. */

#include "situation.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER,
		       other = PTHREAD_MUTEX_INITIALIZER;
static int shared, guarded;
static atomic_int counted;

NOINLINE static void write_shared(int value)
{
	shared = value;
}

NOINLINE static int read_shared(void)
{
	return shared;
}

NOINLINE static void *writer(void *unused)
{
	write_shared(1);
	__asm__ volatile("");
	return NULL;
}

NOINLINE static void *reader(void *unused)
{
	int value = read_shared();

	__asm__ volatile("" : : "r"(value));
	return NULL;
}

static int run(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

static int writes(char **arguments)
{
	return run(writer, writer);
}

static int reads(char **arguments)
{
	return run(writer, reader);
}

static void *count(void *unused)
{
	atomic_fetch_add(&counted, 1);
	pthread_mutex_lock(&lock);
	guarded++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int orderly(char **arguments)
{
	return run(count, count);
}

static int turn;

NOINLINE static void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one_order(void *unused)
{
	lock_both(&lock, &other);
	__atomic_store_n(&turn, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *other_order(void *unused)
{
	while (__atomic_load_n(&turn, __ATOMIC_RELAXED) == 0)
		usleep(1000);
	lock_both(&other, &lock);
	return NULL;
}

static int inversion(char **arguments)
{
	return run(one_order, other_order);
}

static int everything(char **arguments)
{
	run(writer, reader);
	return run(one_order, other_order);
}

static const struct situation situations[] = {
	{ "writes", writes },	    { "reads", reads },		  { "orderly", orderly },
	{ "inversion", inversion }, { "everything", everything }, {},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
