/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of known length: a thread waits in every possible way, and is released some time
 * after it is seen to sleep. The results of the calls are printed.
 */

#include "waiting.h"

#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>

/* ---- mutexes ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long wait_for_lock(int form)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	struct timespec since_start = in_seconds(CLOCK_MONOTONIC, LONG_SECONDS);

	announce();
	if (form == 0)
		return pthread_mutex_lock(&lock);
	if (form == 1)
		return pthread_mutex_timedlock(&lock, &limit);
	return pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &since_start);
}

static void *take_lock(void *form)
{
	long rc = wait_for_lock((int)(long)form);

	pthread_mutex_unlock(&lock);
	return (void *)rc;
}

static int mutex(char **arguments)
{
	for (long form = 0; form < 3; form++) {
		pthread_t thread;

		pthread_mutex_trylock(&lock);
		thread = begin(take_lock, (void *)form);
		let_wait();
		pthread_mutex_unlock(&lock);
		end(thread);
	}
	return 0;
}

static mtx_t c11_lock;

static void *take_c11_lock(void *form)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	long rc;

	announce();
	rc = !form ? mtx_lock(&c11_lock) : mtx_timedlock(&c11_lock, &limit);
	mtx_unlock(&c11_lock);
	return (void *)rc;
}

static int c11_mutex(char **arguments)
{
	mtx_init(&c11_lock, mtx_timed);
	for (long form = 0; form < 2; form++) {
		pthread_t thread;

		mtx_trylock(&c11_lock);
		thread = begin(take_c11_lock, (void *)form);
		let_wait();
		mtx_unlock(&c11_lock);
		end(thread);
	}
	return 0;
}

/* ---- locks for readers and writers ---- */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static long wait_for_rwlock(int form)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	struct timespec since_start = in_seconds(CLOCK_MONOTONIC, LONG_SECONDS);

	announce();
	switch (form) {
	case 0:
		return pthread_rwlock_rdlock(&rwlock);
	case 1:
		return pthread_rwlock_wrlock(&rwlock);
	case 2:
		return pthread_rwlock_timedrdlock(&rwlock, &limit);
	case 3:
		return pthread_rwlock_timedwrlock(&rwlock, &limit);
	case 4:
		return pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &since_start);
	default:
		return pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &since_start);
	}
}

static void *take_rwlock(void *form)
{
	long rc = wait_for_rwlock((int)(long)form);

	pthread_rwlock_unlock(&rwlock);
	return (void *)rc;
}

static int readers_and_writers(char **arguments)
{
	for (long form = 0; form < 6; form++) {
		pthread_t thread;

		pthread_rwlock_trywrlock(&rwlock);
		thread = begin(take_rwlock, (void *)form);
		let_wait();
		pthread_rwlock_unlock(&rwlock);
		end(thread);
	}
	return 0;
}

/* ---- condition variables: the waiter has the lock, so only waiting releases it ---- */

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool is_true;

static long wait_for_condition(int form)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	struct timespec since_start = in_seconds(CLOCK_MONOTONIC, LONG_SECONDS);

	if (form == 0)
		return pthread_cond_wait(&condition, &lock);
	if (form == 1)
		return pthread_cond_timedwait(&condition, &lock, &limit);
	return pthread_cond_clockwait(&condition, &lock, CLOCK_MONOTONIC, &since_start);
}

static void *await_condition(void *form)
{
	long rc = 0;

	pthread_mutex_trylock(&lock);
	announce();
	while (!is_true && rc == 0)
		rc = wait_for_condition((int)(long)form);
	pthread_mutex_unlock(&lock);
	return (void *)rc;
}

/* No other thread has the lock while the waiter sleeps. */
static void make_true(void)
{
	let_wait();
	while (pthread_mutex_trylock(&lock) != 0)
		sleep_ms(1);
	is_true = true;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&lock);
}

static int conditions(char **arguments)
{
	for (long form = 0; form < 3; form++) {
		pthread_t thread;

		is_true = false;
		thread = begin(await_condition, (void *)form);
		make_true();
		end(thread);
	}
	return 0;
}

static cnd_t c11_condition;

static void *await_c11_condition(void *form)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	long rc = thrd_success;

	mtx_trylock(&c11_lock);
	announce();
	while (!is_true && rc == thrd_success)
		rc = !form ? cnd_wait(&c11_condition, &c11_lock)
			   : cnd_timedwait(&c11_condition, &c11_lock, &limit);
	mtx_unlock(&c11_lock);
	return (void *)rc;
}

static int c11_conditions(char **arguments)
{
	mtx_init(&c11_lock, mtx_plain);
	cnd_init(&c11_condition);
	for (long form = 0; form < 2; form++) {
		pthread_t thread;

		is_true = false;
		thread = begin(await_c11_condition, (void *)form);
		let_wait();
		while (mtx_trylock(&c11_lock) != thrd_success)
			sleep_ms(1);
		is_true = true;
		cnd_signal(&c11_condition);
		mtx_unlock(&c11_lock);
		end(thread);
	}
	return 0;
}

/* ---- semaphores, barriers ---- */

static sem_t semaphore;

static void *take_semaphore(void *form)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	struct timespec since_start = in_seconds(CLOCK_MONOTONIC, LONG_SECONDS);

	announce();
	if (!form)
		return (void *)(long)sem_wait(&semaphore);
	if ((long)form == 1)
		return (void *)(long)sem_timedwait(&semaphore, &limit);
	return (void *)(long)sem_clockwait(&semaphore, CLOCK_MONOTONIC, &since_start);
}

static int semaphores(char **arguments)
{
	sem_init(&semaphore, 0, 0);
	for (long form = 0; form < 3; form++) {
		pthread_t thread = begin(take_semaphore, (void *)form);

		let_wait();
		sem_post(&semaphore);
		end(thread);
	}
	return 0;
}

static pthread_barrier_t barrier;

static void *arrive(void *unused)
{
	int rc;

	announce();
	rc = pthread_barrier_wait(&barrier);
	return (void *)(long)(rc == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : rc);
}

static int barriers(char **arguments)
{
	pthread_t thread;
	int rc;

	pthread_barrier_init(&barrier, NULL, 2);
	thread = begin(arrive, NULL);
	let_wait();
	rc = pthread_barrier_wait(&barrier);
	printf("last: %d\n", rc == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : rc);
	end(thread);
	return 0;
}

/* ---- the end of threads ---- */

static atomic_bool may_end;

static void *stay(void *unused)
{
	while (!atomic_load(&may_end))
		sleep_ms(1);
	return (void *)7;
}

static int stay_c11(void *unused)
{
	return (int)(long)stay(NULL);
}

static long join_in(int form, pthread_t thread, void **result)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	struct timespec since_start = in_seconds(CLOCK_MONOTONIC, LONG_SECONDS);
	int value = 0;
	long rc;

	announce();
	switch (form) {
	case 0:
		return pthread_join(thread, result);
	case 1:
		return pthread_timedjoin_np(thread, result, &limit);
	case 2:
		return pthread_clockjoin_np(thread, result, CLOCK_MONOTONIC,
					    &since_start);
	default:
		rc = thrd_join((thrd_t)thread, &value);
		*result = (void *)(long)value;
		return rc == thrd_success ? 0 : rc;
	}
}

static void *join_one(void *form)
{
	void *result = NULL;
	thrd_t c11;
	long rc;

	if ((long)form == 3) {
		thrd_create(&c11, stay_c11, NULL);
		rc = join_in(3, (pthread_t)c11, &result);
	} else {
		rc = join_in((int)(long)form, begin(stay, NULL), &result);
	}
	return (void *)(rc * 100 + (long)result);
}

static int joins(char **arguments)
{
	for (long form = 0; form < 4; form++) {
		pthread_t thread;

		atomic_store(&may_end, false);
		thread = begin(join_one, (void *)form);
		let_wait();
		atomic_store(&may_end, true);
		end(thread);
	}
	return 0;
}

/* ---- spin locks: the waiter uses CPU time rather than sleep ---- */

static pthread_spinlock_t spin;

static void *take_spin(void *unused)
{
	announce();
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
	return NULL;
}

static double cpu_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int spins(char **arguments)
{
	pthread_t thread;
	clockid_t clock;
	double start;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_trylock(&spin);
	thread = begin(take_spin, NULL);
	pthread_getcpuclockid(thread, &clock);
	while (atomic_load(&waiter) == 0)
		sleep_ms(1);
	start = cpu_of(clock);
	while (cpu_of(clock) - start < HELD_MS / 1e3)
		sleep_ms(1);
	pthread_spin_unlock(&spin);
	end(thread);
	return 0;
}

static const struct situation situations[] = {
	{ "mutex", mutex },
	{ "c11_mutex", c11_mutex },
	{ "readers_and_writers", readers_and_writers },
	{ "conditions", conditions },
	{ "c11_conditions", c11_conditions },
	{ "semaphores", semaphores },
	{ "barriers", barriers },
	{ "joins", joins },
	{ "spins", spins },
	{},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
