/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fine SITUATION - cases for periods shorter than the kernel's tick
 *
 * raw COUNT        COUNT children that execute a program by a raw system call; prints
 *                  how many of them did not end like the program
 * by_number COUNT  the same by syscall()
 * switching        a thread that constantly waits for another; prints how many kernel
 *                  events the process has mapped at the end
 * calm             a thread that computes until it has such a mapping; "busy": the
 *                  machine did not let it
 * calm_again       the one after the other
 * company          one that computes beside others; prints how often it has a mapping
 * faulting COUNT   faults so often with an overflow's signal pending; prints how often
 * the program's handler was told another place threads COUNT    COUNT threads, none of
 * which ends; prints how many such mappings there are when each begins faulting COUNT
 * faults so often with an overflow's signal pending; prints how often the program's
 * handler was told another place children COUNT   the same of processes, and of the first
 * one
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
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

static void become_a_shell_by_number(void)
{
	static const char *const arguments[] = { "sh", "-c", "exit 3", NULL };

	burn(.002);
	syscall(SYS_execve, "/bin/sh", arguments, environ);
	_exit(9);
}

static int count_failures(int count, void (*become)(void))
{
	int failed = 0, status;

	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (child == 0)
			become();
		if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != 3)
			failed++;
	}
	printf("%d of %d\n", failed, count);
	return 0;
}

static int raw(char **arguments)
{
	return count_failures(atoi(arguments[0]), become_a_shell);
}

static int by_number(char **arguments)
{
	return count_failures(atoi(arguments[0]), become_a_shell_by_number);
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

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, "[perf_event]") != NULL;
	if (maps)
		fclose(maps);
	return count;
}

/* Asks until the thread has used this much CPU time. */
static void ask(double seconds)
{
	double end = cpu_seconds() + seconds;
	char byte = 0;

	while (cpu_seconds() < end)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			return;
}

static int with_another(double asking)
{
	pthread_t other;

	if (pipe(to) < 0 || pipe(from) < 0 ||
	    pthread_create(&other, NULL, answer, NULL) != 0)
		return 1;
	ask(asking);
	/* The other thread ends when it reads end of file. */
	close(to[1]);
	pthread_join(other, NULL);
	return 0;
}

static long count_switches(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Fewer switches than close the event, and enough time to open it */
#define SWITCHES_MAX 8
#define CALM_TURNS   4

static int compute(void)
{
	int events = mapped_events(), calm = 0, turns = 0;

	for (; events == 0 && calm < CALM_TURNS && turns < 100; turns++) {
		long before = count_switches();

		burn(.1);
		calm = count_switches() - before <= SWITCHES_MAX ? calm + 1 : 0;
		events = mapped_events();
	}
	if (events == 0 && calm < CALM_TURNS)
		puts("busy");
	else
		printf("%d\n", events);
	return 0;
}

/* How often it has an event, of so many times, once it has had one. */
#define ASKED	  20
#define TURNS_MAX 50

static int company(char **arguments)
{
	int turns = 0, found = 0;

	while (mapped_events() == 0 && turns++ < TURNS_MAX)
		burn(.02);
	for (int i = 0; i < ASKED; i++) {
		burn(.02);
		found += mapped_events() > 0;
	}
	printf("%d of %d\n", found, ASKED);
	return 0;
}

static int switching(char **arguments)
{
	int rc = with_another(.3);

	printf("%d\n", mapped_events());
	return rc;
}

static int calm(char **arguments)
{
	burn(.1);
	return compute();
}

static int calm_again(char **arguments)
{
	return with_another(.3) == 0 ? compute() : 1;
}

/* ---- the first ones ---- */

static void *say_events(void *unused)
{
	printf(" %d", mapped_events());
	fflush(stdout);
	return NULL;
}

static void *say_events_and_wait(void *end)
{
	say_events(NULL);
	if (write(to[1], "", 1) == 1)
		pause();
	return NULL;
}

/* All are there to the end. */
static int threads(char **arguments)
{
	pthread_t thread;
	char byte;

	if (pipe(to) < 0)
		return 1;
	for (int i = atoi(arguments[0]); i > 0; i--)
		if (pthread_create(&thread, NULL, say_events_and_wait, NULL) != 0 ||
		    read(to[0], &byte, 1) != 1)
			return 1;
	return 0;
}

static int children(char **arguments)
{
	say_events(NULL);
	for (int i = atoi(arguments[0]); i > 0; i--) {
		pid_t child = fork();

		if (child == 0) {
			say_events(NULL);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}

/* ---- faults ---- */

extern const char faulting_load[], after_load[];
static int misplaced;

static void step_over(int signal, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (registers[REG_RIP] != (greg_t)(uintptr_t)faulting_load) {
		misplaced++;
		printf("%d\n", misplaced);
		fflush(stdout);
		_exit(1);
	}
	registers[REG_RIP] = (greg_t)(uintptr_t)after_load;
}

/* The library does not see the call, so that the kernel really blocks the signal. */
static void change_trap(int how)
{
	uint64_t trap = UINT64_C(1) << (SIGTRAP - 1);
	register long size __asm__("r10") = sizeof(trap);
	long result = SYS_rt_sigprocmask;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((long)how), "S"(&trap), "d"(0L), "r"(size)
			 : "rcx", "r11", "memory");
}

static int faulting(char **arguments)
{
	struct sigaction action = { .sa_sigaction = step_over, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	for (int i = atoi(arguments[0]); i > 0; i--) {
		change_trap(SIG_BLOCK);
		burn(.003);
		__asm__ volatile("faulting_load: movb 1, %%al\nafter_load:" ::
					 : "al", "memory");
		change_trap(SIG_UNBLOCK);
	}
	printf("%d\n", misplaced);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct situation situations[] = {
		{ "raw", raw },
		{ "by_number", by_number },
		{ "switching", switching },
		{ "calm", calm },
		{ "calm_again", calm_again },
		{ "company", company },
		{ "faulting", faulting },
		{ "threads", threads },
		{ "children", children },
		{ NULL, NULL },
	};

	return run_situation(situations, argc, argv);
}
