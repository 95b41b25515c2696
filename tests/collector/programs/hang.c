/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for each other. */

#include "order.h"

#define FORKS 5
static pthread_mutex_t forks[FORKS];

static atomic_int holding;

struct hanging {
	pthread_mutex_t *first, *second;
	int count;
};

static void *hang(void *argument)
{
	struct hanging *hanging = argument;

	outer(hanging->first);
	atomic_fetch_add(&holding, 1);
	while (atomic_load(&holding) < hanging->count)
		sleep_ms(1);
	inner(hanging->second);
	return NULL;
}

static void *give_up(void *unused)
{
	sleep_ms(3000);
	fflush(stdout);
	_exit(7);
}

/* A program that is not ended ends itself. */
static int hang_all(struct hanging *all, int count)
{
	pthread_t threads[THREADS_MAX];

	begin(give_up, NULL);
	for (int i = 0; i < count; i++) {
		all[i].count = count;
		threads[i] = begin(hang, &all[i]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int hang_two(char **arguments)
{
	struct hanging all[] = { { &a, &b }, { &b, &a } };

	return hang_all(all, 2);
}

static int hang_five(char **arguments)
{
	struct hanging all[FORKS];

	for (size_t i = 0; i < FORKS; i++) {
		pthread_mutex_init(&forks[i], NULL);
		all[i] = (struct hanging){ &forks[i], &forks[(i + 1) % FORKS] };
	}
	return hang_all(all, FORKS);
}

static int hang_alone(char **arguments)
{
	struct hanging all[] = { { &a, &a } };

	return hang_all(all, 1);
}

static pthread_spinlock_t spins[2];

static void *spin(void *argument)
{
	size_t i = (size_t)argument;

	pthread_spin_lock(&spins[i]);
	atomic_fetch_add(&holding, 1);
	while (atomic_load(&holding) < 2)
		sleep_ms(1);
	pthread_spin_lock(&spins[1 - i]);
	return NULL;
}

static int hang_spins(char **arguments)
{
	pthread_spin_init(&spins[0], PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&spins[1], PTHREAD_PROCESS_PRIVATE);
	begin(give_up, NULL);
	begin(spin, (void *)0);
	pthread_join(begin(spin, (void *)1), NULL);
	return 0;
}

static void *take_b(void *unused)
{
	inner(&b);
	return NULL;
}

static void *take_b_and_tell(void *unused)
{
	announce();
	inner(&b);
	return NULL;
}

/* A thread holds what the one wants that it waits for. */
static int hang_join(char **arguments)
{
	begin(give_up, NULL);
	outer(&b);
	pthread_join(begin(take_b, NULL), NULL);
	return 0;
}

/* The other one waits already. */
static int hang_late_join(char **arguments)
{
	pthread_t thread;

	begin(give_up, NULL);
	outer(&b);
	thread = begin(take_b_and_tell, NULL);
	let_wait();
	pthread_join(thread, NULL);
	return 0;
}

static void *upgrade(void *unused)
{
	pthread_rwlock_rdlock(&r);
	pthread_rwlock_wrlock(&r);
	return NULL;
}

static int hang_reader(char **arguments)
{
	begin(give_up, NULL);
	pthread_join(begin(upgrade, NULL), NULL);
	return 0;
}

/* Threads that wait for each other, but not for ever. */
static void *wait_a_while(void *argument)
{
	struct hanging *hanging = argument;
	struct timespec soon;

	outer(hanging->first);
	atomic_fetch_add(&holding, 1);
	while (atomic_load(&holding) < hanging->count)
		sleep_ms(1);
	soon = in_seconds(CLOCK_REALTIME, 1);
	if (pthread_mutex_timedlock(hanging->second, &soon) == 0)
		unlock(hanging->second);
	unlock(hanging->first);
	return NULL;
}

static int not_for_ever(char **arguments)
{
	struct hanging all[] = { { &a, &b, 2 }, { &b, &a, 2 } };
	pthread_t threads[] = { begin(hang, &all[0]), begin(wait_a_while, &all[1]) };

	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

static const struct situation situations[] = {
	{ "hang_two", hang_two },
	{ "hang_five", hang_five },
	{ "hang_alone", hang_alone },
	{ "hang_reader", hang_reader },
	{ "hang_spins", hang_spins },
	{ "hang_join", hang_join },
	{ "hang_late_join", hang_late_join },
	{ "not_for_ever", not_for_ever },
	{},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
