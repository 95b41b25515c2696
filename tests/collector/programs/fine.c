/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fine SITUATION - what periods below the kernel's tick are about.
 *
 * raw COUNT		so many children that execute a program by a system call of their own; prints how many of them
 *			did not end as it does
 * switching, calm	a thread that waits for another one all the time, or never; prints how many mappings of
 *			kernel events the process has then
 * calm_again		the one after the other
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "situation.h"

extern char **environ;

/* ---- exec that no library sees ---- */

static long raw_call(long number, const void *a, const void *b, const void *c)
{
	long rc;

	__asm__ volatile("syscall"
			 : "=a"(rc)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return rc;
}

static void become_a_shell(void)
{
	static const char *const arguments[] = { "sh", "-c", "exit 3", NULL };

	burn(.002);
	raw_call(SYS_execve, "/bin/sh", arguments, environ);
	_exit(9);
}

static int raw(char **arguments)
{
	int count = atoi(arguments[0]), failed = 0, status;

	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (child == 0)
			become_a_shell();
		if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != 3)
			failed++;
	}
	printf("%d of %d\n", failed, count);
	return 0;
}

/* ---- threads that wait for each other ---- */

static int to[2], from[2];

static void *answer(void *unused)
{
	char byte;

	while (read(to[0], &byte, 1) == 1)
		if (write(from[1], &byte, 1) != 1)
			break;
	return NULL;
}

static int mapped_events(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	while (maps && fgets(line, sizeof line, maps))
		count += strstr(line, "[perf_event]") != NULL;
	if (maps)
		fclose(maps);
	return count;
}

/* Until the thread has used so much CPU time. */
static void ask(double seconds)
{
	double end = cpu_seconds() + seconds;
	char byte = 0;

	while (cpu_seconds() < end)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			return;
}

static int with_another(double asking, double burning)
{
	pthread_t other;

	if (pipe(to) < 0 || pipe(from) < 0 ||
	    pthread_create(&other, NULL, answer, NULL) != 0)
		return 1;
	ask(asking);
	/* The other one's goes with it. */
	close(to[1]);
	pthread_join(other, NULL);
	burn(burning);
	printf("%d\n", mapped_events());
	return 0;
}

static int switching(char **arguments)
{
	return with_another(.3, 0);
}

static int calm(char **arguments)
{
	burn(.1);
	printf("%d\n", mapped_events());
	return 0;
}

static int calm_again(char **arguments)
{
	return with_another(.3, 1);
}

int main(int argc, char **argv)
{
	static const struct situation situations[] = {
		{ "raw", raw },	  { "switching", switching },
		{ "calm", calm }, { "calm_again", calm_again },
		{ NULL, NULL },
	};

	return run_situation(situations, argc, argv);
}
