/* SPDX-License-Identifier: Apache-2.0 */
/* Results and errors of locks, and of waiting for them. */

#include "waiting.h"

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static mtx_t c11_lock;
static atomic_bool may_end;

static void *stay(void *unused)
{
	while (!atomic_load(&may_end))
		sleep_ms(1);
	return (void *)7;
}

/* ---- no thread waits: a fixed number of each call ---- */

#define TIMES 100

static int uncontended(char **arguments)
{
	struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);

	sem_init(&semaphore, 0, TIMES);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	mtx_init(&c11_lock, mtx_plain);
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		pthread_mutex_timedlock(&lock, &limit);
		pthread_mutex_unlock(&lock);
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		pthread_rwlock_wrlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		pthread_spin_lock(&spin);
		pthread_spin_unlock(&spin);
		mtx_lock(&c11_lock);
		mtx_unlock(&c11_lock);
		sem_wait(&semaphore);
	}
	return 0;
}

/* ---- results of special kinds of locks ---- */

static int init_lock(int type, int robust, int protocol, int shared,
		     pthread_mutex_t *made)
{
	pthread_mutexattr_t attributes;
	int rc;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setpshared(&attributes, shared);
	rc = pthread_mutex_init(made, &attributes);
	printf("init: %d\n", rc);
	return rc;
}

/* Prints the call's result; locked counts the calls to be undone. */
static void say(const char *what, int rc, int *locked)
{
	printf(" %s %d", what, rc);
	*locked += rc == 0;
}

static void try_all(pthread_mutex_t *made, int type)
{
	struct timespec past = { 1, 0 }, wrong = { 1, -1 };
	int locked = 0;

	say("first", pthread_mutex_lock(made), &locked);
	if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK)
		say("again", pthread_mutex_lock(made), &locked);
	say("late", pthread_mutex_timedlock(made, &past), &locked);
	say("wrong", pthread_mutex_timedlock(made, &wrong), &locked);
	say("no clock", pthread_mutex_clocklock(made, 17, &past), &locked);
	for (; locked > 0; locked--)
		printf(" unlock %d", pthread_mutex_unlock(made));
	if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK)
		printf(" too often %d", pthread_mutex_unlock(made));
	say("no clock", pthread_mutex_clocklock(made, 17, &past), &locked);
	say("free", pthread_mutex_timedlock(made, &past), &locked);
	for (; locked > 0; locked--)
		printf(" unlock %d", pthread_mutex_unlock(made));
	puts("");
}

static int kinds_of_mutexes(char **arguments)
{
	static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				     PTHREAD_MUTEX_ERRORCHECK,
				     PTHREAD_MUTEX_ADAPTIVE_NP };
	static const int protocols[] = { PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT,
					 PTHREAD_PRIO_PROTECT };

	for (int i = 0; i < 4 * 3 * 2 * 2; i++) {
		pthread_mutex_t made;

		if (init_lock(types[i % 4],
			      i / 12 % 2 ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED,
			      protocols[i / 4 % 3],
			      i / 24 ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE,
			      &made) == 0)
			try_all(&made, types[i % 4]);
	}
	return 0;
}

static void *die_with_lock(void *made)
{
	return (void *)(long)pthread_mutex_lock(made);
}

static int owner_dies(char **arguments)
{
	for (int form = 0; form < 3; form++) {
		struct timespec limit = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
		pthread_mutex_t made;

		init_lock(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST,
			  form == 2 ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE,
			  PTHREAD_PROCESS_PRIVATE, &made);
		end(begin(die_with_lock, &made));
		printf("died: %d\n", form == 1 ? pthread_mutex_timedlock(&made, &limit)
					       : pthread_mutex_lock(&made));
		printf("unlock: %d\n", pthread_mutex_unlock(&made));
		printf("never again: %d\n", pthread_mutex_lock(&made));
	}
	return 0;
}

/* The child dies holding a lock for which the parent waits. */
static int shared_with_child(char **arguments)
{
	pthread_mutex_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	atomic_bool *has_locked = (atomic_bool *)(shared + 1);
	pid_t child;
	int status;

	init_lock(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE,
		  PTHREAD_PROCESS_SHARED, shared);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		int rc = pthread_mutex_lock(shared);

		atomic_store(has_locked, true);
		sleep_ms(HELD_MS);
		_exit(rc);
	}
	while (!atomic_load(has_locked))
		sleep_ms(1);
	printf("lock: %d\n", pthread_mutex_lock(shared));
	printf("consistent: %d\n", pthread_mutex_consistent(shared));
	printf("unlock: %d\n", pthread_mutex_unlock(shared));
	waitpid(child, &status, 0);
	printf("child: %d\n", status);
	return 0;
}

static void lock_times(int times)
{
	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

/* Locks three times before the fork, five times in the child, and four afterwards. */
static int forks(char **arguments)
{
	pid_t child;
	int status;

	lock_times(3);
	child = fork();
	if (child == 0) {
		lock_times(5);
		exit(0);
	}
	waitpid(child, &status, 0);
	lock_times(4);
	printf("child: %d\n", status);
	return 0;
}

/* Results that are errors, and errno where it is not the result. */
static int other_results(char **arguments)
{
	struct timespec past = { 1, 0 }, wrong = { 1, 1000000000 };
	struct timespec later = in_seconds(CLOCK_REALTIME, LONG_SECONDS);
	pthread_t self = pthread_self(), thread;
	void *result;
	int rc;

	pthread_rwlock_wrlock(&rwlock);
	printf("own: %d", pthread_rwlock_rdlock(&rwlock));
	printf(" %d", pthread_rwlock_wrlock(&rwlock));
	printf(" %d", pthread_rwlock_timedrdlock(&rwlock, &later));
	pthread_rwlock_unlock(&rwlock);
	printf("\nwrong: %d", pthread_rwlock_timedrdlock(&rwlock, &wrong));
	printf(" %d", pthread_rwlock_timedwrlock(&rwlock, &wrong));
	printf(" %d", pthread_rwlock_clockwrlock(&rwlock, 17, &later));
	pthread_rwlock_rdlock(&rwlock);
	printf("\nread: %d", pthread_rwlock_timedwrlock(&rwlock, &past));
	printf(" %d\n", pthread_rwlock_rdlock(&rwlock));

	sem_init(&semaphore, 0, 1);
	errno = 4711;
	rc = sem_wait(&semaphore);
	printf("semaphore: %d %d", rc, errno);
	rc = sem_timedwait(&semaphore, &past);
	printf(", %d %d", rc, errno);
	sem_post(&semaphore);
	rc = sem_timedwait(&semaphore, &wrong);
	printf(", %d %d", rc, errno);
	rc = sem_clockwait(&semaphore, 17, &later);
	printf(", %d %d", rc, errno);
	errno = 4711;
	rc = sem_clockwait(&semaphore, CLOCK_REALTIME, &past);
	printf(", %d %d\n", rc, errno);

	pthread_mutex_lock(&lock);
	printf("condition: %d", pthread_cond_timedwait(&condition, &lock, &past));
	printf(" %d", pthread_cond_timedwait(&condition, &lock, &wrong));
	printf(" %d", pthread_cond_clockwait(&condition, &lock, 17, &later));
	printf(" %d\n", pthread_mutex_trylock(&lock));
	pthread_mutex_unlock(&lock);

	printf("join: %d", pthread_join(self, NULL));
	thread = begin(stay, NULL);
	printf(" %d", pthread_tryjoin_np(thread, &result));
	printf(" %d", pthread_timedjoin_np(thread, &result, &past));
	atomic_store(&may_end, true);
	while ((rc = pthread_tryjoin_np(thread, &result)) == EBUSY)
		sleep_ms(1);
	printf(" %d %ld\n", rc, (long)result);
	return 0;
}

/* ---- cost ---- */

/* loop THREADS TIMES ROUNDS, for measuring the cost of tracing. ROUNDS: work between one
 * lock and the next. nested: the same with a lock inside the lock. */
struct loop {
	long times, rounds;
	bool is_nested;
};

static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;

static void *loop_thread(void *argument)
{
	const struct loop *loop = argument;
	unsigned long value = 1;

	for (long i = 0; i < loop->times; i++) {
		pthread_mutex_lock(&lock);
		if (loop->is_nested)
			pthread_mutex_lock(&inner);
		burnt++;
		if (loop->is_nested)
			pthread_mutex_unlock(&inner);
		pthread_mutex_unlock(&lock);
		for (long j = 0; j < loop->rounds; j++)
			value = value * 6364136223846793005UL + 1442695040888963407UL;
	}
	return (void *)value;
}

static int run_loop(char **arguments, bool is_nested)
{
	struct loop loop = { atol(arguments[1]), atol(arguments[2]), is_nested };
	pthread_t threads[16];
	int count = atoi(arguments[0]);

	if (count < 1 || count > 16)
		return 1;
	for (int i = 0; i < count; i++)
		threads[i] = begin(loop_thread, &loop);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int loop(char **arguments)
{
	return run_loop(arguments, false);
}

static int nested(char **arguments)
{
	return run_loop(arguments, true);
}

static const struct situation situations[] = {
	{ "uncontended", uncontended },
	{ "kinds_of_mutexes", kinds_of_mutexes },
	{ "owner_dies", owner_dies },
	{ "shared_with_child", shared_with_child },
	{ "forks", forks },
	{ "other_results", other_results },
	{ "loop", loop },
	{ "nested", nested },
	{},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
