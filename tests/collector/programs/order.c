/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of locks that can lead to a deadlock, though none happens. */

#include "order.h"

#include <threads.h>

static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void *bc(void *unused)
{
	both(&b, &c);
	__asm__ volatile("");
	return NULL;
}

NOINLINE static void *ca(void *unused)
{
	both(&c, &a);
	__asm__ volatile("");
	return NULL;
}

static int inversion(char **arguments)
{
	IN_TURN(ab, ba);
	return 0;
}

/* The same when a line is read */
static int late(char **arguments)
{
	ab(NULL);
	getchar();
	return inversion(arguments);
}

static int three(char **arguments)
{
	IN_TURN(ab, bc, ca);
	return 0;
}

/* The same circle again and again, and by other threads */
static int repeated(char **arguments)
{
	IN_TURN(ab, ba, ab, ba, ab, ba);
	return 0;
}

#define FORKS 5
static pthread_mutex_t forks[FORKS];

static void *eat(void *argument)
{
	size_t i = (size_t)argument;

	both(&forks[i], &forks[(i + 1) % FORKS]);
	__asm__ volatile("");
	return NULL;
}

static int philosophers(char **arguments)
{
	routine *routines[FORKS + 1] = { NULL };
	void *numbers[FORKS];

	for (size_t i = 0; i < FORKS; i++) {
		pthread_mutex_init(&forks[i], NULL);
		routines[i] = eat;
		numbers[i] = (void *)i;
	}
	in_turn(routines, numbers);
	return 0;
}

static int gate_of_one(char **arguments)
{
	IN_TURN(gated_ab, ba);
	return 0;
}

/* Readers let each other in. */
static void *reader_ab(void *unused)
{
	pthread_rwlock_rdlock(&r);
	ab(NULL);
	pthread_rwlock_unlock(&r);
	return NULL;
}

static int gate_of_readers(char **arguments)
{
	IN_TURN(reader_ab, reader_ba);
	return 0;
}

static void *write_r_read_s(void *unused)
{
	pthread_rwlock_wrlock(&r);
	pthread_rwlock_rdlock(&s);
	pthread_rwlock_unlock(&s);
	pthread_rwlock_unlock(&r);
	return NULL;
}

static void *write_s_read_r(void *unused)
{
	pthread_rwlock_wrlock(&s);
	pthread_rwlock_rdlock(&r);
	pthread_rwlock_unlock(&r);
	pthread_rwlock_unlock(&s);
	return NULL;
}

static int writers(char **arguments)
{
	IN_TURN(write_r_read_s, write_s_read_r);
	return 0;
}

static mtx_t x, y;
static pthread_spinlock_t u, v;

static void *c11_xy(void *unused)
{
	mtx_lock(&x);
	mtx_lock(&y);
	mtx_unlock(&y);
	mtx_unlock(&x);
	return NULL;
}

static void *c11_yx(void *unused)
{
	mtx_lock(&y);
	mtx_lock(&x);
	mtx_unlock(&x);
	mtx_unlock(&y);
	return NULL;
}

static int c11(char **arguments)
{
	mtx_init(&x, mtx_plain);
	mtx_init(&y, mtx_plain);
	IN_TURN(c11_xy, c11_yx);
	return 0;
}

static void *spin_uv(void *unused)
{
	pthread_spin_lock(&u);
	pthread_spin_lock(&v);
	pthread_spin_unlock(&v);
	pthread_spin_unlock(&u);
	return NULL;
}

static void *spin_vu(void *unused)
{
	pthread_spin_lock(&v);
	pthread_spin_lock(&u);
	pthread_spin_unlock(&u);
	pthread_spin_unlock(&v);
	return NULL;
}

static int spins(char **arguments)
{
	pthread_spin_init(&u, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&v, PTHREAD_PROCESS_PRIVATE);
	IN_TURN(spin_uv, spin_vu);
	return 0;
}

/* Another thread can come between the end of the wait and the lock of its mutex. */
static void *wait_with_b(void *unused)
{
	struct timespec past = { 1, 0 };

	outer(&a);
	inner(&b);
	pthread_cond_timedwait(&condition, &a, &past);
	unlock(&b);
	unlock(&a);
	return NULL;
}

static int condition_inside(char **arguments)
{
	IN_TURN(wait_with_b, ab);
	return 0;
}

/* What came before the thread was created comes again while it runs. */
static int before_and_after(char **arguments)
{
	struct turn other = { ba, NULL, 1 };
	pthread_t thread;

	ab(NULL);
	thread = begin(run_in_turn, &other);
	ab(NULL);
	atomic_fetch_add(&turn, 1);
	pthread_join(thread, NULL);
	return 0;
}

/* A queue with a limit: both sides wait for, and signal, the other one. */
#define JOBS 3
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int queued;

static void take_job(void)
{
	pthread_mutex_lock(&gate);
	while (queued == 0)
		pthread_cond_wait(&condition, &gate);
	queued--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&gate);
}

/* The flag keeps the deadlock from happening, and is nothing that the collector sees. */
static void alone(routine *routine)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;

	while (atomic_flag_test_and_set(&busy))
		sched_yield();
	routine(NULL);
	atomic_flag_clear(&busy);
}

static void *work_ab(void *unused)
{
	for (int i = 0; i < JOBS; i++) {
		take_job();
		alone(ab);
	}
	return NULL;
}

static void *work_ba(void *unused)
{
	for (int i = 0; i < JOBS; i++) {
		take_job();
		alone(ba);
	}
	return NULL;
}

static int workers(char **arguments)
{
	pthread_t threads[] = { begin(work_ab, NULL), begin(work_ba, NULL) };

	for (int i = 0; i < 2 * JOBS; i++) {
		pthread_mutex_lock(&gate);
		while (queued == 2)
			pthread_cond_wait(&not_full, &gate);
		queued++;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&gate);
	}
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

#define ACCOUNTS 40
static pthread_mutex_t accounts[ACCOUNTS];

static void *transfer(void *argument)
{
	unsigned seed = (unsigned)(size_t)argument;

	for (int i = 0; i < 1000; i++) {
		size_t from = rand_r(&seed) % ACCOUNTS, to = rand_r(&seed) % ACCOUNTS;

		if (from != to)
			both(&accounts[from], &accounts[to]);
	}
	return NULL;
}

static int transfers(char **arguments)
{
	for (size_t i = 0; i < ACCOUNTS; i++)
		pthread_mutex_init(&accounts[i], NULL);
	in_turn((routine *const[]){ transfer, transfer, NULL },
		(void *const[]){ (void *)1, (void *)2 });
	return 0;
}

static const struct situation situations[] = {
	{ "inversion", inversion },
	{ "late", late },
	{ "three", three },
	{ "repeated", repeated },
	{ "philosophers", philosophers },
	{ "gate_of_one", gate_of_one },
	{ "gate_of_readers", gate_of_readers },
	{ "writers", writers },
	{ "c11", c11 },
	{ "spins", spins },
	{ "condition_inside", condition_inside },
	{ "before_and_after", before_and_after },
	{ "workers", workers },
	{ "transfers", transfers },
	{},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
