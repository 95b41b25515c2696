/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that others attach to: it does one thing all the time, checks what comes out
 * of it, and says "right" at the end. Loops run until there is a file "stop".
 *
 *	attached malloc|stdio|dlopen|threads|many|masked|compute
 *	attached nanosleep|poll|select|... MILLISECONDS
 *
 * A wait must end with its own result after this time, and no more than half of it later.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS	     8
#define MANY_THREADS 1000

static atomic_bool has_to_stop, is_wrong;

static bool goes_on(void)
{
	return !atomic_load(&has_to_stop);
}

static void check(bool is_right, const char *what)
{
	if (!is_right && !atomic_exchange(&is_wrong, true)) {
		printf("wrong: %s: %s\n", what, strerror(errno));
		fflush(stdout);
	}
}

static void *allocate(void *number)
{
	unsigned char *blocks[64] = { 0 };
	uint64_t random = (uintptr_t)number + 1;

	while (goes_on()) {
		size_t i = (random = random * 6364136223846793005 + 1) >> 58;
		size_t size = 1 + (random >> 40) % 3000;

		if (blocks[i])
			check(blocks[i][0] == i && blocks[i][1 + blocks[i][0]] == i,
			      "block");
		free(blocks[i]);
		blocks[i] = malloc(size + 66);
		memset(blocks[i], (int)i, size + 66);
	}
	return NULL;
}

static void *compute(void *number)
{
	double sum = 0;

	for (double i = 1; goes_on(); i++)
		sum += 1 / (i * i);
	check(sum > 1 && sum < 1.65, "sum");
	return NULL;
}

static void *wait_for_end(void *number)
{
	struct pollfd none = { .fd = -1 };

	while (goes_on())
		check(poll(&none, 1, 50) == 0, "poll");
	return NULL;
}

/* The end of a recording has to wait for threads that block its signal. */
static void *block_profiling(void *number)
{
	sigset_t profiling;

	sigemptyset(&profiling);
	sigaddset(&profiling, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &profiling, NULL);
	return allocate(number);
}

static void *do_nothing(void *number)
{
	return number;
}

static void await_stop(void)
{
	while (access("stop", F_OK) < 0)
		check(usleep(2000) == 0, "sleep");
	atomic_store(&has_to_stop, true);
}

static void run_threads(void *(*run)(void *), size_t count)
{
	pthread_t threads[MANY_THREADS];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 * 1024);
	for (size_t i = 0; i < count; i++)
		check(pthread_create(&threads[i], &small, run, (void *)i) == 0, "create");
	await_stop();
	for (size_t i = 0; i < count; i++)
		check(pthread_join(threads[i], NULL) == 0, "join");
}

/* These loops run in the main thread, which is the one that is used first. */
static void *watch(void *none)
{
	await_stop();
	return NULL;
}

static void run_main(void (*step)(void))
{
	pthread_t watcher;

	pthread_create(&watcher, NULL, watch, NULL);
	while (goes_on())
		step();
	pthread_join(watcher, NULL);
}

static void step_malloc(void)
{
	void *blocks[16];

	for (size_t i = 0; i < 16; i++)
		blocks[i] = malloc((size_t)1 << (i + 4));
	for (size_t i = 0; i < 16; i++)
		free(blocks[i]);
}

static void step_stdio(void)
{
	static unsigned long written, number;
	static FILE *file;
	char line[32];

	if (!file)
		file = tmpfile();
	fprintf(file, "%lu\n", written++);
	if (written % 1000)
		return;
	rewind(file);
	for (number = written - 1000; fgets(line, sizeof(line), file); number++)
		check(strtoul(line, NULL, 10) == number, "line");
	check(number == written, "lines");
	rewind(file);
	check(ftruncate(fileno(file), 0) == 0, "truncate");
}

static void step_dlopen(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);

	check(library && dlsym(library, "cos"), "dlopen");
	check(library && dlclose(library) == 0, "dlclose");
}

static void step_thread(void)
{
	pthread_t thread;
	void *result;

	check(pthread_create(&thread, NULL, do_nothing, &thread) == 0, "create");
	check(pthread_join(thread, &result) == 0 && result == &thread, "join");
}

/* ---- waits ---- */

static struct timespec span(long ms)
{
	return (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
}

static struct timespec end_of(clockid_t clock, long ms)
{
	struct timespec now;

	clock_gettime(clock, &now);
	now.tv_sec += ms / 1000 + (now.tv_nsec + ms % 1000 * 1000000) / 1000000000;
	now.tv_nsec = (now.tv_nsec + ms % 1000 * 1000000) % 1000000000;
	return now;
}

static void wait_nanosleep(long ms)
{
	struct timespec time = span(ms);

	check(nanosleep(&time, NULL) == 0, "nanosleep");
}

static void wait_clock_nanosleep(long ms)
{
	struct timespec time = end_of(CLOCK_MONOTONIC, ms);

	check(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == 0,
	      "clock_nanosleep");
}

static void wait_poll(long ms)
{
	struct pollfd none = { .fd = -1 };

	check(poll(&none, 1, (int)ms) == 0, "poll");
}

static void wait_select(long ms)
{
	struct timeval time = { ms / 1000, ms % 1000 * 1000 };

	check(select(0, NULL, NULL, NULL, &time) == 0, "select");
}

/* Returns the reading end of a pipe that gets a byte after this time. */
static int make_late_pipe(long ms)
{
	int ends[2];

	check(pipe(ends) == 0, "pipe");
	if (fork() == 0) {
		wait_nanosleep(ms);
		_exit(write(ends[1], "x", 1) != 1);
	}
	return ends[0];
}

static void wait_read(long ms)
{
	char byte;

	check(read(make_late_pipe(ms), &byte, 1) == 1 && byte == 'x', "read");
}

static void wait_gets(long ms)
{
	FILE *stream = fdopen(make_late_pipe(ms), "r");

	check(getc(stream) == 'x', "getc");
}

static void wait_epoll(long ms)
{
	struct epoll_event event = { .events = EPOLLIN };
	int set = epoll_create1(0), pipe = make_late_pipe(ms);

	check(epoll_ctl(set, EPOLL_CTL_ADD, pipe, &event) == 0, "epoll_ctl");
	check(epoll_wait(set, &event, 1, -1) == 1, "epoll_wait");
}

static void wait_epoll_timeout(long ms)
{
	struct epoll_event event;

	check(epoll_wait(epoll_create1(0), &event, 1, (int)ms) == 0, "epoll_wait");
}

static void wait_child(long ms)
{
	pid_t child = fork();
	int state;

	if (child == 0) {
		wait_nanosleep(ms);
		_exit(7);
	}
	check(waitpid(child, &state, 0) == child && WEXITSTATUS(state) == 7, "waitpid");
}

static atomic_int caught;

static void catch (int signal)
{
	atomic_fetch_add(&caught, 1);
}

static void wait_pause(long ms)
{
	pid_t parent = getpid();

	signal(SIGUSR1, catch);
	if (fork() == 0) {
		wait_nanosleep(ms);
		_exit(kill(parent, SIGUSR1) != 0);
	}
	check(pause() == -1 && errno == EINTR && caught == 1, "pause");
}

static void wait_condition(long ms)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec end = end_of(CLOCK_REALTIME, ms);

	pthread_mutex_lock(&mutex);
	check(pthread_cond_timedwait(&condition, &mutex, &end) == ETIMEDOUT, "condition");
}

static void *post(void *semaphore)
{
	wait_nanosleep(1500);
	sem_post(semaphore);
	return NULL;
}

static void wait_semaphore(long ms)
{
	pthread_t thread;
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, post, &semaphore);
	check(sem_wait(&semaphore) == 0, "sem_wait");
	pthread_join(thread, NULL);
	wait_nanosleep(ms - 1500);
}

static void wait_signal(long ms)
{
	pid_t parent = getpid();
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (fork() == 0) {
		wait_nanosleep(ms);
		_exit(kill(parent, SIGUSR2) != 0);
	}
	check(sigwaitinfo(&set, NULL) == SIGUSR2, "sigwaitinfo");
}

static void wait_no_signal(long ms)
{
	struct timespec time = span(ms);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	check(sigtimedwait(&set, NULL, &time) == -1 && errno == EAGAIN, "sigtimedwait");
}

static void wait_semop(long ms)
{
	struct sembuf take = { .sem_op = -1 }, give = { .sem_op = 1 };
	int set = semget(IPC_PRIVATE, 1, 0600);

	if (fork() == 0) {
		wait_nanosleep(ms);
		_exit(semop(set, &give, 1) != 0);
	}
	check(semop(set, &take, 1) == 0, "semop");
	semctl(set, 0, IPC_RMID);
}

static const struct {
	const char *name;
	void (*wait)(long ms);
} waits[] = {
	{ "nanosleep", wait_nanosleep }, { "clock_nanosleep", wait_clock_nanosleep },
	{ "poll", wait_poll },		 { "select", wait_select },
	{ "read", wait_read },		 { "getc", wait_gets },
	{ "epoll_wait", wait_epoll },	 { "epoll_timeout", wait_epoll_timeout },
	{ "waitpid", wait_child },	 { "pause", wait_pause },
	{ "condition", wait_condition }, { "semaphore", wait_semaphore },
	{ "sigwaitinfo", wait_signal },	 { "sigtimedwait", wait_no_signal },
	{ "semop", wait_semop },
};

static void run_wait(const char *name, long ms)
{
	struct timespec end = end_of(CLOCK_MONOTONIC, ms - 5),
			late = end_of(CLOCK_MONOTONIC, ms + ms / 2), now;

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (strcmp(waits[i].name, name) == 0)
			waits[i].wait(ms);
	clock_gettime(CLOCK_MONOTONIC, &now);
	errno = 0;
	check(now.tv_sec > end.tv_sec ||
		      (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec),
	      "it took too little time");
	check(now.tv_sec < late.tv_sec ||
		      (now.tv_sec == late.tv_sec && now.tv_nsec < late.tv_nsec),
	      "it took too much time");
}

static const struct {
	const char *name;
	void *(*run)(void *);
	size_t threads;
	void (*step)(void);
} loops[] = {
	{ "malloc", allocate, THREADS, NULL },
	{ "compute", compute, THREADS, NULL },
	{ "many", wait_for_end, MANY_THREADS, NULL },
	{ "masked", block_profiling, THREADS, NULL },
	{ "main-malloc", NULL, 0, step_malloc },
	{ "stdio", NULL, 0, step_stdio },
	{ "dlopen", NULL, 0, step_dlopen },
	{ "threads", NULL, 0, step_thread },
};

int main(int argc, char *argv[])
{
	if (argc > 2)
		run_wait(argv[1], strtol(argv[2], NULL, 10));
	for (size_t i = 0; argc == 2 && i < sizeof(loops) / sizeof(*loops); i++) {
		if (strcmp(loops[i].name, argv[1]) == 0 && loops[i].run)
			run_threads(loops[i].run, loops[i].threads);
		else if (strcmp(loops[i].name, argv[1]) == 0)
			run_main(loops[i].step);
	}
	if (!is_wrong)
		puts("right");
	return is_wrong;
}
