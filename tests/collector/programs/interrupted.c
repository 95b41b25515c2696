/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that are cancelled, left by a jump, or interrupted by handlers that lock as well.
 */

#include "waiting.h"

#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_bool may_end;

static void *stay(void *unused)
{
	while (!atomic_load(&may_end))
		sleep_ms(1);
	return (void *)7;
}

static int cleaned;

static void clean(void *unused)
{
	cleaned++;
	pthread_mutex_unlock(&lock);
}

/* A cancelled waiter holds the lock again when it cleans up. */
static void *wait_until_cancelled(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(clean, NULL);
	announce();
	for (;;)
		pthread_cond_wait(&condition, &lock);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *join_until_cancelled(void *thread)
{
	announce();
	pthread_join(*(pthread_t *)thread, NULL);
	return NULL;
}

static void *wait_while_cancelled(void *unused)
{
	pthread_cancel(pthread_self());
	sem_wait(&semaphore); /* cancelled even though it would not block */
	return NULL;
}

static int cancelled(char **arguments)
{
	pthread_t staying = begin(stay, NULL), thread;
	void *result;
	int left;

	for (int i = 0; i < 3; i++) {
		sem_init(&semaphore, 0, 1);
		thread = begin(i == 0	? wait_until_cancelled
			       : i == 1 ? join_until_cancelled
					: wait_while_cancelled,
			       &staying);
		if (i < 2) {
			let_wait();
			pthread_cancel(thread);
		}
		pthread_join(thread, &result);
		sem_getvalue(&semaphore, &left);
		printf("%s, cleaned %d, semaphore %d\n",
		       result == PTHREAD_CANCELED ? "cancelled" : "returned", cleaned,
		       left);
	}
	printf("lock: %d\n", pthread_mutex_trylock(&lock));
	atomic_store(&may_end, true);
	pthread_join(staying, NULL);
	return 0;
}

static sigjmp_buf back;

static void jump(int signal)
{
	siglongjmp(back, signal);
}

static void *alarm_waiter(void *thread)
{
	let_wait();
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	return NULL;
}

static __attribute__((noinline)) void lock_deeper(int depth)
{
	char room[100];

	memset(room, depth, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth > 0)
		lock_deeper(depth - 1);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

/* A handler that jumps out of the wait. Afterwards locks are taken deeper in the stack.
 */
static int jumps_out(char **arguments)
{
	pthread_t self = pthread_self();
	volatile pthread_t thread = 0;
	volatile int round;

	signal(SIGUSR1, jump);
	sem_init(&semaphore, 0, 0);
	if (sigsetjmp(back, 1) == 0) {
		thread = begin(alarm_waiter, &self);
		announce();
		sem_wait(&semaphore);
	}
	for (round = 0; round < 5; round++)
		lock_deeper(9);
	printf("rounds: %d\n", round);
	pthread_join(thread, NULL);
	return 0;
}

/* A handler that locks, too, interrupts a wait. */
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;

static void take_other_lock(int signal)
{
	pthread_mutex_lock(&other_lock);
	pthread_mutex_unlock(&other_lock);
	sem_post(&semaphore);
}

static int locks_in_handler(char **arguments)
{
	struct sigaction action = { .sa_handler = take_other_lock,
				    .sa_flags = SA_RESTART };
	pthread_t self = pthread_self(), thread;

	sigaction(SIGUSR1, &action, NULL);
	sem_init(&semaphore, 0, 0);
	thread = begin(alarm_waiter, &self);
	announce();
	printf("wait: %d\n", sem_wait(&semaphore));
	pthread_join(thread, NULL);
	return 0;
}

/* A handler that forks wherever it interrupts. The child finishes the interrupted call,
 * and makes a few more. */
#define FORKS 200

static volatile sig_atomic_t forks, is_child, failed;

static void fork_and_wait(int signal)
{
	struct itimerval next = { { 0, 0 }, { 0, 300 + forks % 7 * 100 } };
	pid_t child = fork();
	int status;

	if (child == 0) {
		is_child = 1;
		return;
	}
	waitpid(child, &status, 0);
	failed += status != 0;
	if (++forks < FORKS)
		setitimer(ITIMER_REAL, &next, NULL);
}

static int forks_in_handler(char **arguments)
{
	struct itimerval next = { { 0, 0 }, { 0, 300 } };

	signal(SIGALRM, fork_and_wait);
	setitimer(ITIMER_REAL, &next, NULL);
	for (int more = 20; forks < FORKS && more > 0; more -= is_child) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		free(malloc(100));
		lseek(-1, 0, SEEK_SET);
	}
	if (is_child)
		_exit(0);
	printf("failed: %d\n", (int)failed);
	return 0;
}

/* A handler whose calls interrupt others of all kinds. It makes each call once per
 * signal. */
#define SIGNALS 1000

static volatile sig_atomic_t signals;

static __attribute__((noinline)) void call_in_handler(void)
{
	pthread_mutex_lock(&other_lock);
	pthread_mutex_unlock(&other_lock);
	lseek(-1, 0, SEEK_SET);
	__asm__ volatile("");
}

static void count_signal(int signal)
{
	if (signals == SIGNALS)
		return; /* the timer is still running */
	call_in_handler();
	signals++;
}

static int calls_in_handler(char **arguments)
{
	static char room[65536];
	char room_in_frame[65536];
	bool is_alternate = arguments[0] != NULL;
	bool is_in_frame = is_alternate && strcmp(arguments[0], "in_frame") == 0;
	struct sigaction action = { .sa_handler = count_signal,
				    .sa_flags = is_alternate ? SA_ONSTACK : 0 };
	struct itimerval often = { { 0, 200 }, { 0, 200 } },
			 never = { { 0, 0 }, { 0, 0 } };

	if (is_alternate)
		sigaltstack(&(stack_t){ .ss_sp = is_in_frame ? room_in_frame : room,
					.ss_size = sizeof(room) },
			    NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (signals < SIGNALS) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		free(malloc(100));
		lseek(-1, 0, SEEK_SET);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	return 0;
}

static const struct situation situations[] = {
	{ "cancelled", cancelled },
	{ "jumps_out", jumps_out },
	{ "locks_in_handler", locks_in_handler },
	{ "forks_in_handler", forks_in_handler },
	{ "calls_in_handler", calls_in_handler },
	{},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
