/* SPDX-License-Identifier: Apache-2.0 */
/* Uses of the API to control a recording: pauses, samples, its end; situations by name.
 */

#include <collectorAPI.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/collector/programs/situation.h"

/* Two functions, so that a profile shows in which one the time was used. */
__attribute__((noinline)) static void wanted(double seconds)
{
	burn(seconds);
	__asm__ volatile("");
}

__attribute__((noinline)) static void unwanted(double seconds)
{
	burn(seconds);
	__asm__ volatile("");
}

/* ---- the whole process ---- */

static int pauses(char **arguments)
{
	wanted(.1);
	collector_sample("half & half <\"x\">");
	for (int i = 0; i < 5; i++) {
		wanted(.02);
		collector_pause();
		collector_pause();
		unwanted(.02);
		collector_sample(NULL);
		collector_resume();
		collector_resume();
	}
	wanted(.02);
	return 0;
}

static int ends_paused(char **arguments)
{
	wanted(.1);
	collector_pause();
	unwanted(.1);
	return 0;
}

/* Returns the highest open descriptor other than standard input, output and error, or
 * 1024 if there is none. */
static int highest_descriptor(void)
{
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return fd;
	return 1024;
}

/* Texts too long for any record. */
static int long_texts(char **arguments)
{
	static char text[100000], code[64];

	wanted(.05);
	memset(text, '"', sizeof(text) - 1);
	collector_sample(text);
	collector_func_load(text, text, text, code, sizeof(code), 0, NULL);
	memset(text, 'x', sizeof(text) - 1);
	collector_sample(text);
	collector_func_load(text, text, text, code, sizeof(code), 0, NULL);
	collector_pause();
	collector_resume();
	return 0;
}

static int terminates(char **arguments)
{
	wanted(.1);
	collector_sample("last");
	collector_terminate_expt();
	collector_terminate_expt();
	printf("%s descriptor of another's\n",
	       fcntl(highest_descriptor(), F_GETFD) < 0 ? "no" : "a");
	unwanted(.1);
	collector_sample("never");
	collector_pause();
	collector_resume();
	printf("system %d\n", system("true"));
	if (fork() == 0) {
		unwanted(.05);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

/* ---- threads ---- */

static volatile int is_over;

static void *work_always(void *unused)
{
	while (!is_over)
		wanted(.001);
	return NULL;
}

static void *pause_oneself(void *unused)
{
	wanted(.05);
	collector_thread_pause(pthread_self());
	unwanted(.05);
	collector_thread_resume(pthread_self());
	wanted(.05);
	collector_thread_pause(pthread_self());
	unwanted(.02);
	return NULL;
}

static int threads(char **arguments)
{
	pthread_t first, second;

	pthread_create(&first, NULL, work_always, NULL);
	pthread_create(&second, NULL, pause_oneself, NULL);
	pthread_join(second, NULL);
	collector_thread_resume(second);
	is_over = 1;
	pthread_join(first, NULL);
	return 0;
}

static void *work_briefly(void *unused)
{
	wanted(.003);
	return NULL;
}

/* Pauses while threads come, work and go. Work in a pause is not recorded, nor at a
 * thread's end. */
static int storm(char **arguments)
{
	pthread_t long_lived[2], brief;

	for (int i = 0; i < 2; i++)
		pthread_create(&long_lived[i], NULL, work_always, NULL);
	for (int i = 0; i < 40; i++) {
		pthread_create(&brief, NULL, work_briefly, NULL);
		if (i % 2 == 0)
			collector_pause();
		else
			collector_resume();
		if (i % 10 == 0)
			collector_sample("storm");
		pthread_join(brief, NULL);
	}
	is_over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(long_lived[i], NULL);
	return 0;
}

/* Ends the recording while other threads work; they continue afterwards. */
static int terminates_among_threads(char **arguments)
{
	pthread_t others[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&others[i], NULL, work_always, NULL);
	burn(.1);
	collector_terminate_expt();
	burn(.1);
	is_over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(others[i], NULL);
	puts("went on");
	return 0;
}

/* The same, with many traced calls. */
static void allocate_once(void)
{
	void *volatile block = malloc(32); /* volatile, or the compiler would remove the
					    * call */

	free(block);
}

static void *allocate(void *unused)
{
	while (!is_over)
		allocate_once();
	return NULL;
}

static int terminates_while_traced(char **arguments)
{
	pthread_t others[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&others[i], NULL, allocate, NULL);
	burn(.05);
	collector_terminate_expt();
	burn(.05);
	is_over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(others[i], NULL);
	puts("went on");
	return 0;
}

/* A pause with many calls. */
static int long_pause(char **arguments)
{
	double end;

	wanted(.02);
	collector_pause();
	for (end = cpu_seconds() + 1.1; cpu_seconds() < end;)
		allocate_once();
	return 0;
}

/* Pauses that fall between the start of a call and its end. */
static int allocations(char **arguments)
{
	pthread_t others[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&others[i], NULL, allocate, NULL);
	for (int i = 0; i < 20; i++) {
		burn(.0005);
		collector_pause();
		burn(.0005);
		collector_resume();
	}
	is_over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
	return 0;
}

/* ---- handlers, children ---- */

static void control_in_handler(int signal)
{
	collector_pause();
	collector_sample("in a handler");
	collector_resume();
}

static int handlers(char **arguments)
{
	signal(SIGUSR1, control_in_handler);
	for (int i = 0; i < 20; i++) {
		wanted(.005);
		raise(SIGUSR1);
	}
	return 0;
}

static int children(char **arguments)
{
	wanted(.05);
	collector_pause();
	if (fork() == 0) {
		unwanted(.05);
		collector_resume();
		wanted(.05);
		exit(0);
	}
	wait(NULL);
	collector_resume();
	if (fork() == 0) {
		wanted(.05);
		exit(0);
	}
	wait(NULL);
	return 0;
}

/* Prints the program's own dlerror(). */
static int messages(char **arguments)
{
	const char *message;

	dlopen("/nowhere/at-all.so", RTLD_NOW);
	collector_sample("between");
	message = dlerror();
	puts(message && strstr(message, "at-all") ? "its own" : "not its own");
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct situation situations[] = {
		{ "pauses", pauses },
		{ "ends_paused", ends_paused },
		{ "terminates", terminates },
		{ "long_texts", long_texts },
		{ "threads", threads },
		{ "storm", storm },
		{ "terminates_among_threads", terminates_among_threads },
		{ "terminates_while_traced", terminates_while_traced },
		{ "long_pause", long_pause },
		{ "allocations", allocations },
		{ "handlers", handlers },
		{ "children", children },
		{ "messages", messages },
		{},
	};

	setvbuf(stdout, NULL, _IONBF, 0);
	return run_situation(situations, argc, argv);
}
