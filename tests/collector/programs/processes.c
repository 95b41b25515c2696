/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that start processes. */

#include "situation.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern pid_t _Fork(void);

static char *self;

static void report(const char *what)
{
	int status = 0;
	pid_t pid = wait(&status);

	printf("%s: %d status %x\n", what, pid > 0, (unsigned)status);
	fflush(stdout);
}

/* The image that the other situations execute: prints the size of its environment, uses
 * time, ends with 9. */
static int child(char **arguments)
{
	int count = 0;

	for (char **entry = environ; *entry; entry++)
		count++;
	printf("child with %d variables, preload %s\n", count,
	       getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "none");
	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, "SP_COLLECTOR", 12) == 0)
			puts(*entry);
	fflush(stdout);
	burn(.03);
	return 9;
}

static int forks(char **arguments)
{
	for (int i = 0; i < 20; i++) {
		if (fork() == 0) {
			burn(i < 2 ? .03 : 0);
			_exit(i);
		}
		report("fork");
	}
	return 0;
}

/* Measures the cost of a followed fork. */
static int many_forks(char **arguments)
{
	for (int i = 0; i < 1000; i++) {
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
	return 0;
}

static void *burn_long(void *argument)
{
	burn(.2);
	return NULL;
}

static int fork_with_threads(char **arguments)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, burn_long, NULL);
	for (int i = 0; i < 10; i++) {
		if (fork() == 0) {
			burn(.01);
			exit(i);
		}
		report("fork");
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int vforks(char **arguments)
{
	static char *no_environment[] = { NULL };

	if (vfork() == 0) {
		execl("/nowhere/at/all", "nothing", (char *)NULL);
		_exit(errno == ENOENT ? 11 : 12);
	}
	report("failed");
	if (vfork() == 0) {
		execl(self, self, "child", (char *)NULL);
		_exit(1);
	}
	report("execl");
	if (vfork() == 0) {
		execle(self, self, "child", (char *)NULL, no_environment);
		_exit(1);
	}
	report("empty environment");
	if (vfork() == 0)
		_exit(13);
	report("none");
	return 0;
}

static void spawn(int rc, const char *what)
{
	report(what);
	printf("%s %d\n", what, rc);
	fflush(stdout);
}

static int spawns(char **arguments)
{
	char *argv[] = { self, (char *)"child", NULL };
	char *no_environment[] = { NULL };
	pid_t pid;

	spawn(posix_spawn(&pid, self, NULL, NULL, argv, environ), "spawn");
	spawn(posix_spawn(&pid, self, NULL, NULL, argv, no_environment),
	      "empty environment");
	argv[0] = (char *)"true";
	argv[1] = NULL;
	spawn(posix_spawnp(&pid, "true", NULL, NULL, argv, environ), "spawnp");
	spawn(posix_spawnp(&pid, "no-such-program", NULL, NULL, argv, environ),
	      "missing");
	return 0;
}

static int systems(char **arguments)
{
	char command[4096];

	printf("shell %d\n", system(NULL) != 0);
	snprintf(command, sizeof(command), "%s child; exit 5", self);
	fflush(stdout);
	printf("system %x\n", (unsigned)system(command));
	printf("killed %x\n", (unsigned)system("kill -TERM $$"));
	signal(SIGCHLD, SIG_IGN);
	printf("ignored %d", system("exit 3"));
	printf(" %d\n", errno == ECHILD);
	return 0;
}

static int pipes(char **arguments)
{
	char command[4096], line[256];
	FILE *pipe;

	snprintf(command, sizeof(command), "%s child", self);
	pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe) != NULL)
		printf("read: %s", line);
	printf("pclose %x\n", pipe ? (unsigned)pclose(pipe) : 0);
	return 0;
}

static int becomes_daemon(char **arguments)
{
	burn(.05);
	if (daemon(1, 1) < 0)
		return 1;
	burn(.05);
	return 0;
}

__attribute__((noinline)) static void early(void)
{
	burn(.1);
	burnt++;
}

__attribute__((noinline)) static void late(void)
{
	burn(.1);
	burnt++;
}

static int raw_forks(char **arguments)
{
	if (syscall(SYS_fork) == 0) {
		early();
		_exit(1);
	}
	report("raw");
	if (syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L) == 0) {
		early();
		_exit(3);
	}
	report("raw clone");
	if (_Fork() == 0) {
		burn(.02);
		_exit(2);
	}
	report("_Fork");
	return 0;
}

/* Forks by an inline system call instruction; no function is called. */
static long unseen_fork(void)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"((long)SYS_fork)
			 : "rcx", "r11", "memory");
	return result;
}

/* In each child, the second event is a shell, and the last is after it. */
static int unseen_forks(char **arguments)
{
	for (int i = 0; i < 3; i++)
		if (unseen_fork() == 0) {
			early();
			if (system("exit 4") != 0x400)
				_exit(9);
			late();
			_exit(i);
		}
	for (int i = 0; i < 3; i++)
		wait(NULL);
	return 0;
}

static int cloned(void *argument)
{
	burn(.03);
	return *(int *)argument;
}

static int clones(char **arguments)
{
	static char stack[65536] __attribute__((aligned(16)));
	int value = 21;

	clone(cloned, stack + sizeof(stack), SIGCHLD, &value);
	report("copy");
	clone(cloned, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &value);
	report("shared");
	return 0;
}

static int execute_late(void *argument)
{
	execl("/nowhere/at/all", "nothing", (char *)NULL);
	execl(self, self, "child", (char *)NULL);
	return 1;
}

/* Overwrites the stack below its caller, from the child. */
__attribute__((noinline)) static void use_stack(void)
{
	volatile char used[512];

	for (size_t i = 0; i < sizeof(used); i++)
		used[i] = (char)i;
}

static int failing(char **arguments)
{
	static char stack[65536] __attribute__((aligned(16)));
	pid_t pid = vfork();

	if (pid == 0) {
		use_stack();
		execl("/nowhere/at/all", "nothing", (char *)NULL);
		execl(arguments[0], "nothing", (char *)NULL);
		execl(self, self, "child", (char *)NULL);
		_exit(1);
	}
	report("third time");
	printf("%d\n", pid > 0);
	clone(execute_late, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
	      NULL);
	report("second time");
	printf("%d", execl("/nowhere/at/all", "nothing", (char *)NULL));
	printf(" %d\n", errno);
	printf("%d", execl(arguments[0], "nothing", (char *)NULL));
	printf(" %d\n", errno);
	printf("%d", execl(arguments[1], "nothing", (char *)NULL));
	printf(" %d\n", errno);
	return 0;
}

static int executes(char **arguments)
{
	static char *no_environment[] = { NULL };
	char *argv[] = { self, (char *)"child", NULL };

	burn(.05);
	printf("missing %d", execv("/nowhere/at/all", argv));
	printf(" %d\n", errno);
	printf("no program %d", execv(arguments[0], argv));
	printf(" %d\n", errno == ENOEXEC);
	fflush(stdout);
	burn(.05);
	execve(self, argv, no_environment);
	return 1;
}

/* Uses libc's syscall(), which is not wrapped by call name. */
static int executes_by_number(char **arguments)
{
	char *argv[] = { self, (char *)"child", NULL };

	burn(.05);
	printf("missing %ld", syscall(SYS_execve, "/nowhere/at/all", argv, environ));
	printf(" %d\n", errno);
	fflush(stdout);
	syscall(SYS_execve, self, argv, environ);
	return 1;
}

static int executes_at_by_number(char **arguments)
{
	char *argv[] = { self, (char *)"child", NULL };

	burn(.05);
	syscall(SYS_execveat, AT_FDCWD, self, argv, environ, 0);
	return 1;
}

/* The caller sees all its children, and only them. */
static int waits(char **arguments)
{
	int status;

	if (fork() == 0)
		_exit(0);
	printf("first %d", wait(&status) > 0);
	printf(" second %d", (int)wait(&status));
	printf(" %d\n", errno == ECHILD);
	return 0;
}

static const struct situation situations[] = {
	{ "child", child },
	{ "forks", forks },
	{ "many_forks", many_forks },
	{ "fork_with_threads", fork_with_threads },
	{ "vforks", vforks },
	{ "spawns", spawns },
	{ "systems", systems },
	{ "pipes", pipes },
	{ "becomes_daemon", becomes_daemon },
	{ "raw_forks", raw_forks },
	{ "unseen_forks", unseen_forks },
	{ "clones", clones },
	{ "failing", failing },
	{ "executes", executes },
	{ "executes_by_number", executes_by_number },
	{ "executes_at_by_number", executes_at_by_number },
	{ "waits", waits },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	self = argv[0];
	return run_situation(situations, argc, argv);
}
