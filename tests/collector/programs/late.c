/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that open the collector's libraries in the middle of their run, as a debugger
 * would make them: late SITUATION PARAMETERS LIBRARIES EXPERIMENT... Each experiment is
 * recorded once. They print whether anything of the collector is left.
 */

#include "late.h"
#include "situation.h"
#include "sleeps.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define THREADS 4
#define MANY	200

/* ---- situations ---- */

static double process_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static _Atomic int stops;
static _Atomic int ready;

__attribute__((noinline, noclone)) static void work_before(void)
{
	burn(.02);
	burnt++;
}

__attribute__((noinline, noclone)) static void work_until_stop(void)
{
	while (!atomic_load(&stops))
		burn(.002);
}

static void *busy(void *unused)
{
	(void)unused;
	work_before();
	atomic_fetch_add(&ready, 1);
	work_until_stop();
	return NULL;
}

static void start_threads(pthread_t *threads, int count, void *(*run)(void *))
{
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, run, NULL) != 0)
			exit(98);
	while (atomic_load(&ready) < count)
		usleep(1000);
}

static void join_threads(const pthread_t *threads, int count)
{
	atomic_store(&stops, 1);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	atomic_store(&stops, 0);
	atomic_store(&ready, 0);
}

/* Record each experiment while the main thread works, and print the CPU time used. */
static void record_each(char **experiments)
{
	for (; *experiments; experiments++) {
		double from;

		note(&before);
		begin(*experiments);
		from = process_seconds();
		burn(.3);
		printf("used %.6f\n", process_seconds() - from);
		end();
		compare();
	}
}

static int threads(char **arguments)
{
	pthread_t ids[THREADS];

	start_threads(ids, THREADS, busy);
	record_each(arguments);
	join_threads(ids, THREADS);
	return 0;
}

static void *idle(void *unused)
{
	(void)unused;
	atomic_fetch_add(&ready, 1);
	while (!atomic_load(&stops))
		usleep(20000);
	return NULL;
}

static int many(char **arguments)
{
	pthread_t ids[MANY];

	start_threads(ids, MANY, idle);
	record_each(arguments);
	join_threads(ids, MANY);
	return 0;
}

/* Threads begin and end while the process is recorded. */
static int coming_and_going(char **arguments)
{
	pthread_t old[THREADS], fresh[THREADS];

	start_threads(old, THREADS, busy);
	begin(arguments[0]);
	join_threads(old, THREADS);
	start_threads(fresh, THREADS, busy);
	burn(.1);
	end();
	join_threads(fresh, THREADS);
	puts("done");
	return 0;
}

/* ---- sleepers ---- */

struct sleeper {
	size_t index;
	int rc;
	double seconds;
};

static void *sleeping(void *argument)
{
	struct sleeper *sleeper = argument;
	double from = now_seconds();

	atomic_fetch_add(&ready, 1);
	sleeper->rc = sleeps[sleeper->index].sleep();
	sleeper->seconds = now_seconds() - from;
	return NULL;
}

static int sleepers(char **arguments)
{
	pthread_t ids[SLEEPS];
	struct sleeper all[SLEEPS];

	if (pipe(never) < 0)
		return 98;
	for (size_t i = 0; i < SLEEPS; i++) {
		all[i].index = i;
		if (pthread_create(&ids[i], NULL, sleeping, &all[i]) != 0)
			return 98;
	}
	while (atomic_load(&ready) < (int)SLEEPS)
		usleep(1000);
	usleep(50000);
	record_each(arguments);
	for (size_t i = 0; i < SLEEPS; i++) {
		pthread_join(ids[i], NULL);
		printf("%s: %d, %s\n", sleeps[i].name, all[i].rc,
		       all[i].seconds >= SLEEP_MS / 1e3 - .002 ? "whole" : "cut short");
	}
	return 0;
}

/* ---- signals ---- */

static _Atomic int profiled;

static void on_profile(int signal)
{
	(void)signal;
	atomic_fetch_add(&profiled, 1);
}

static void expect_more(const char *when)
{
	int from = atomic_load(&profiled);

	/* A virtual machine that has to wait has no ticks meanwhile. */
	for (int i = 0; i < 20 && atomic_load(&profiled) == from; i++)
		burn(.1);
	printf("%s: %s\n", when, atomic_load(&profiled) > from ? "profiled" : "not");
}

/* A program that uses SIGPROF itself. */
static int profiler(char **arguments)
{
	const struct itimerval often = { { 0, 4000 }, { 0, 4000 } };
	struct sigaction ours = { .sa_handler = on_profile, .sa_flags = SA_RESTART };

	sigaction(SIGPROF, &ours, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	expect_more("before");
	note(&before);
	begin(arguments[0]);
	expect_more("while recorded");
	end();
	compare();
	expect_more("after");
	sigaction(SIGPROF, NULL, &ours);
	printf("handler: %s\n", ours.sa_handler == on_profile ? "the program's" : "not");
	return 0;
}

__attribute__((noinline, noclone)) static void work_blocked(void)
{
	while (!atomic_load(&stops))
		burn(.003);
}

static void *blocking(void *argument)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	if (argument)
		sigfillset(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	atomic_fetch_add(&ready, 1);
	work_blocked();
	return NULL;
}

static int run_blocking(char **arguments, void *blocks_all)
{
	pthread_t id;

	if (pthread_create(&id, NULL, blocking, blocks_all) != 0)
		return 98;
	while (atomic_load(&ready) < 1)
		usleep(1000);
	record_each(arguments);
	join_threads(&id, 1);
	return 0;
}

static int blocks_profile(char **arguments)
{
	return run_blocking(arguments, NULL);
}

static int blocks_all(char **arguments)
{
	return run_blocking(arguments, arguments);
}

static int set_mask(uint64_t mask, uint64_t *old)
{
	return (int)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, old, sizeof(mask));
}

/* The debugger blocks all signals while the thread calls the collector for it. */
static void call_blocked(char *experiment)
{
	uint64_t mask;
	char variable[64];

	set_mask(~UINT64_C(0), &mask);
	if (experiment) {
		sprintf(variable, "SP_COLLECTOR_MASK=%llu", (unsigned long long)mask);
		if (try_with(experiment, variable) != 0)
			exit(97);
	} else {
		end();
	}
	set_mask(mask_after(mask), NULL);
}

/* The thread that a debugger uses blocks all signals itself. */
static int used_blocks_all(char **arguments)
{
	sigset_t set;

	sigfillset(&set);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	for (; *arguments; arguments++) {
		double from;

		note(&before);
		call_blocked(*arguments);
		from = process_seconds();
		burn(.3);
		printf("used %.6f\n", process_seconds() - from);
		call_blocked(NULL);
		compare();
	}
	return 0;
}

/* ---- failures ---- */

/* A recording cannot begin. The next one can. */
static int refused(char **arguments)
{
	char path[PATH_MAX];
	pthread_t ids[THREADS];

	start_threads(ids, THREADS, busy);
	mkdir(arguments[0], 0755);
	snprintf(path, sizeof(path), "%s/map.xml", arguments[0]);
	mkdir(path, 0755);
	note(&before);
	printf("start: %d\n", try_with(arguments[0], ""));
	compare();
	status();
	fputs(buffer, stdout);
	rmdir(path);
	record_each(arguments + 1);
	join_threads(ids, THREADS);
	return 0;
}

static _Atomic int trapped;

static void on_trap(int signal)
{
	(void)signal;
	atomic_fetch_add(&trapped, 1);
}

static void *deaf(void *unused)
{
	sigset_t set;

	(void)unused;
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) == 1)
		burn(.002);
	set_mask(~UINT64_C(0), NULL);
	atomic_fetch_add(&ready, 1);
	work_until_stop();
	return NULL;
}

/* A thread does not answer at the end, so that the handler of SIGTRAP stays. */
static int trap(char **arguments)
{
	const struct sigaction ours = { .sa_handler = on_trap };
	pthread_t id;

	sigaction(SIGTRAP, &ours, NULL);
	start_threads(&id, 1, deaf);
	for (; *arguments; arguments++) {
		begin(*arguments);
		burn(.2);
		if (atomic_load(&ready) == 1) {
			atomic_store(&ready, 2);
			while (atomic_load(&ready) < 3)
				burn(.002);
		}
		end();
		raise(SIGTRAP);
		printf("trapped %d\n", atomic_load(&trapped));
	}
	join_threads(&id, 1);
	return 0;
}

/* ---- control ---- */

__attribute__((noinline, noclone)) static void work_paused(void)
{
	burn(.11);
	burnt++;
}

__attribute__((noinline, noclone)) static void work_recorded(void)
{
	burn(.4);
	burnt++;
}

static int control(char **arguments)
{
	begin(arguments[0]);
	printf("again: %d, %s\n", start(), buffer);
	work_recorded();
	pause_all();
	work_paused();
	status();
	strtok(strstr(buffer, "paused"), "\n");
	puts(strstr(buffer, "paused"));
	sample("by hand");
	resume_all();
	work_recorded();
	end();
	status();
	fputs(buffer, stdout);
	return 0;
}

static const struct situation situations[] = {
	{ "threads", threads },
	{ "many", many },
	{ "coming_and_going", coming_and_going },
	{ "sleepers", sleepers },
	{ "profiler", profiler },
	{ "blocks_profile", blocks_profile },
	{ "blocks_all", blocks_all },
	{ "used_blocks_all", used_blocks_all },
	{ "refused", refused },
	{ "trap", trap },
	{ "control", control },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 4) {
		parameters = argv[2];
		open_libraries(argv[3]);
		argv[3] = argv[1];
		return run_situation(situations, argc - 2, argv + 2);
	}
	return run_situation(situations, 1, argv);
}
