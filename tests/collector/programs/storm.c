/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storm SITUATION ROUNDS [SIGNAL] - prints how many signals of the program are lost. Each
 * source sends its next signal once the last one has arrived, so that the kernel never
 * merges two of them. A signal counts as lost if it has not arrived after its receiver
 * has made BEATS_MAX more turns of its work.
 *
 * dependent  each signal's handler starts the timer of the next one
 * sources    three signals: of a process, a thread and a timer; each handler may
 *            interrupt the others
 * chain      a handler raises its own signal, which is blocked until the handler ends
 * to_itself  a thread sends itself signals, which come before the call returns
 * handed     the main thread blocks a process signal that another thread handles
 * waited     the same, and that thread waits for it
 * passed     both threads block it when it arrives
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "situation.h"

#define BEATS_MAX 1000000
#define SOURCES	  3

/* shared with the sending process */
static struct {
	_Atomic unsigned long come[SOURCES], beats;
	_Atomic int lost, sending;
} * shared;

static unsigned long rounds;
static int tested = SIGPROF;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- receiving ---- */

/* Traced work, in the receiving thread. */
static void beat(void)
{
	free(malloc(100));
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	shared->beats++;
}

/* Handlers of the three sources; each runs long enough to be interrupted. */
#define ON_SOURCE(name, source)                         \
	static void name(int signal)                    \
	{                                               \
		for (volatile int i = 0; i < 2000; i++) \
			;                               \
		shared->come[source]++;                 \
	}

ON_SOURCE(on_first, 0)
ON_SOURCE(on_second, 1)
ON_SOURCE(on_third, 2)

static void handle(int signal, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(signal, &action, NULL);
}

static sigset_t set_of(int signal)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, signal);
	return signals;
}

static void change_mask(int how, int signal)
{
	sigset_t signals = set_of(signal);

	pthread_sigmask(how, &signals, NULL);
}

/* ---- sending ---- */

/* Returns false if the signal is lost. */
static bool has_come(int source, unsigned long number, void (*wait)(void))
{
	unsigned long end = shared->beats + BEATS_MAX;

	while (shared->come[source] < number && shared->beats < end)
		wait();
	if (shared->come[source] >= number)
		return true;
	shared->lost++;
	return false;
}

static void nap(void)
{
	usleep(1);
}

static void alarm_soon(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 1 + shared->beats % 10 } };

	setitimer(ITIMER_REAL, &soon, NULL);
}

static void beat_until_sent(void)
{
	while (shared->sending > 0)
		beat();
}

/* Starts the first source, a process that sends the tested signal to this one. */
static pid_t start_process(void)
{
	pid_t receiver = getpid(), child = fork();

	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (unsigned long i = 1; i <= rounds; i++) {
		kill(receiver, tested);
		if (!has_come(0, i, nap))
			break;
	}
	shared->sending--;
	_exit(0);
}

/* ---- the situations ---- */

static void on_start(int signal)
{
	alarm_soon();
}

static int dependent(char **arguments)
{
	handle(tested, on_start);
	handle(SIGUSR1, on_start);
	handle(SIGALRM, on_first);
	for (unsigned long i = 1; i <= rounds; i++) {
		kill(getpid(), i % 2 == 0 ? tested : SIGUSR1);
		if (!has_come(0, i, i % 4 < 2 ? nap : beat))
			break;
	}
	return 0;
}

static pthread_t receiver;

static void *send_to_thread(void *unused)
{
	for (unsigned long i = 1; i <= rounds; i++) {
		pthread_kill(receiver, SIGUSR1);
		if (!has_come(1, i, nap))
			break;
	}
	shared->sending--;
	return NULL;
}

static void *start_alarms(void *unused)
{
	for (unsigned long i = 1; i <= rounds; i++) {
		alarm_soon();
		if (!has_come(2, i, nap))
			break;
	}
	shared->sending--;
	return NULL;
}

static int sources(char **arguments)
{
	pthread_t threads[2];
	pid_t child;

	receiver = pthread_self();
	shared->sending = SOURCES;
	handle(tested, on_first);
	handle(SIGUSR1, on_second);
	handle(SIGALRM, on_third);
	child = start_process();
	pthread_create(&threads[0], NULL, send_to_thread, NULL);
	pthread_create(&threads[1], NULL, start_alarms, NULL);
	beat_until_sent();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	waitpid(child, NULL, 0);
	return 0;
}

static void raise_again(int signal)
{
	on_first(signal);
	if (shared->come[0] < rounds)
		raise(signal);
}

static int chain(char **arguments)
{
	handle(tested, raise_again);
	raise(tested);
	has_come(0, rounds, beat);
	return 0;
}

static int to_itself(char **arguments)
{
	handle(tested, on_first);
	for (unsigned long i = 1; i <= rounds; i++) {
		if (i % 3 == 0)
			raise(tested);
		else if (i % 3 == 1)
			pthread_kill(pthread_self(), tested);
		else
			tgkill(getpid(), gettid(), tested);
		shared->lost += shared->come[0] != i;
		shared->come[0] = i;
	}
	return 0;
}

static void *receive_by_handler(void *unused)
{
	change_mask(SIG_UNBLOCK, tested);
	beat_until_sent();
	return NULL;
}

static void *receive_by_waiting(void *unused)
{
	sigset_t signals = set_of(tested);
	int signal;

	while (sigwait(&signals, &signal) == 0)
		shared->come[0]++;
	return NULL;
}

static int beside_main(void *(*receive)(void *), void (*meanwhile)(void))
{
	pthread_t thread;
	pid_t child;

	change_mask(SIG_BLOCK, tested);
	shared->sending = 1;
	pthread_create(&thread, NULL, receive, NULL);
	child = start_process();
	while (shared->sending > 0)
		meanwhile();
	waitpid(child, NULL, 0);
	return 0;
}

static void burn_a_little(void)
{
	burn(.001);
}

static int handed(char **arguments)
{
	handle(tested, on_first);
	return beside_main(receive_by_handler, burn_a_little);
}

static int waited(char **arguments)
{
	return beside_main(receive_by_waiting, beat);
}

static void *burn_blocked(void *unused)
{
	beat_until_sent();
	return NULL;
}

/* Both threads block the signal when it arrives. */
static int passed(char **arguments)
{
	pthread_t thread;

	handle(tested, on_first);
	change_mask(SIG_BLOCK, tested);
	shared->sending = 1;
	pthread_create(&thread, NULL, burn_blocked, NULL);
	kill(getpid(), tested);
	burn(.02);
	change_mask(SIG_UNBLOCK, tested);
	has_come(0, 1, beat);
	shared->sending = 0;
	pthread_join(thread, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct situation situations[] = {
		{ "dependent", dependent }, { "sources", sources }, { "chain", chain },
		{ "to_itself", to_itself }, { "handed", handed },   { "waited", waited },
		{ "passed", passed },	    { NULL, NULL },
	};
	int rc;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	if (argc > 3)
		tested = atoi(argv[3]);
	rc = run_situation(situations, argc, argv);
	if (argc > 1 && rc == 0)
		printf("lost %d\n", shared->lost);
	return rc;
}
