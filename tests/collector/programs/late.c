/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that open the collector's libraries in the middle of their run, as a debugger
 * would make them: late SITUATION PARAMETERS LIBRARIES EXPERIMENT... Each experiment is
 * recorded once. They print whether anything of the collector is left.
 */

#include "situation.h"
#include "sleeps.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
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

/* ---- what a debugger does ---- */

static char *buffer;
static int (*start)(void);
static void (*end)(void), (*pause_all)(void), (*resume_all)(void), (*status)(void);
static void (*sample)(const char *);
static const char *parameters;

static void *find(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		exit(98);
	return found;
}

static void open_libraries(char *names)
{
	void *first = NULL;

	for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
		void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);

		if (!library) {
			puts(dlerror());
			exit(98);
		}
		first = first ? first : library;
	}
	buffer = find(first, "__collector_buffer");
	*(void **)&start = find(first, "__collector_start");
	*(void **)&end = find(first, "__collector_terminate_expt");
	*(void **)&pause_all = find(first, "__collector_pause");
	*(void **)&resume_all = find(first, "__collector_resume");
	*(void **)&sample = find(first, "__collector_sample");
	*(void **)&status = find(first, "__collector_status");
}

static void begin(const char *experiment)
{
	char directory[PATH_MAX];
	int length, rc;

	mkdir(experiment, 0755);
	if (!realpath(experiment, directory))
		exit(98);
	length = sprintf(buffer, "SP_COLLECTOR_EXPNAME=%s", directory) + 1;
	length += sprintf(buffer + length, "SP_COLLECTOR_PARAMS=%s", parameters) + 1;
	buffer[length] = '\0';
	rc = start();
	if (rc != 0) {
		printf("start: %d: %s\n", rc, buffer);
		exit(97);
	}
}

/* ---- what is left of it ---- */

struct traces {
	char text[1 << 16];
	size_t length;
};

static void add_lines(struct traces *traces, const char *path, const char *beginning)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, beginning, strlen(beginning)) == 0)
			traces->length += (size_t)snprintf(
				traces->text + traces->length,
				sizeof(traces->text) - traces->length, "%s", line);
	if (file)
		fclose(file);
}

/* The descriptors, timers and handlers of the process, and the masks of its threads. */
static void note(struct traces *traces)
{
	static const char *const words[] = { "SigCgt", "SigIgn" };
	char path[300];
	struct dirent *entry;
	DIR *directory = opendir("/proc/self/task");

	traces->length = 0;
	for (int i = 0; i < 2; i++)
		add_lines(traces, "/proc/self/status", words[i]);
	add_lines(traces, "/proc/self/timers", "");
	while (directory && (entry = readdir(directory)) != NULL) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
		add_lines(traces, path, "SigBlk");
	}
	if (directory)
		closedir(directory);
	for (int fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			traces->length +=
				(size_t)snprintf(traces->text + traces->length,
						 sizeof(traces->text) - traces->length,
						 "descriptor %d\n", fd);
}

static struct traces before, after;

static void compare(void)
{
	note(&after);
	if (before.length == after.length &&
	    memcmp(before.text, after.text, before.length) == 0)
		puts("nothing is left");
	else
		printf("before:\n%safter:\n%s", before.text, after.text);
}

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

/* ---- control ---- */

__attribute__((noinline, noclone)) static void work_paused(void)
{
	burn(.11);
	burnt++;
}

__attribute__((noinline, noclone)) static void work_recorded(void)
{
	burn(.1);
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
