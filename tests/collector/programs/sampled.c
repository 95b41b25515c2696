/* SPDX-License-Identifier: Apache-2.0 */
/* A program that tests link statically, and starters of it: programs sampled from
 * outside. */

#include "situation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- situations of the static program ---- */

static double used_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* CPU time used before main, by the program that the process ran before */
static double used_at_first;

static void say_used(void)
{
	printf("used %.6f\n", used_seconds() - used_at_first);
	fflush(stdout);
}

/* Code after burn() prevents a tail call, which would drop these from the stack. */
__attribute__((noinline)) static void one_quarter(double seconds)
{
	burn(seconds / 4);
	burnt++;
}

__attribute__((noinline)) static void three_quarters(double seconds)
{
	burn(seconds * 3 / 4);
	burnt++;
}

static int shares(char **arguments)
{
	double seconds = atof(arguments[0]);

	one_quarter(seconds);
	three_quarters(seconds);
	say_used();
	return 7;
}

static void *burn_in_thread(void *seconds)
{
	burn(*(double *)seconds);
	return NULL;
}

static int threads(char **arguments)
{
	double seconds = atof(arguments[0]);
	pthread_t ids[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, burn_in_thread, &seconds);
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	say_used();
	return 0;
}

/* Spends most of its time in the kernel. */
__attribute__((noinline)) static void read_zeros(int fd, double seconds)
{
	static char buffer[1 << 20];
	double end = cpu_seconds() + seconds;

	while (cpu_seconds() < end && read(fd, buffer, sizeof(buffer)) > 0)
		burnt++;
}

static int calls(char **arguments)
{
	read_zeros(open("/dev/zero", O_RDONLY), atof(arguments[0]));
	say_used();
	return 0;
}

/* Makes a child that burns and one that executes a system program. */
static int makes(char **arguments)
{
	burn(.1);
	if (fork() == 0) {
		burn(.2);
		_exit(0);
	}
	wait(NULL);
	if (fork() == 0) {
		execl("/bin/sh", "sh", "-c",
		      "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done",
		      (char *)NULL);
		_exit(127);
	}
	wait(NULL);
	return 0;
}

static int stays(char **arguments)
{
	burn(atof(arguments[0]));
	say_used();
	sleep(60); /* in case the test does not end it */
	return 0;
}

/* Prints the state it finds at its start. */
static int looks(char **arguments)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	sigset_t mask;
	int count = 0;

	while ((entry = readdir(directory)) != NULL)
		count++;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("descriptors %d, child %d, errno %d, SIGINT blocked %d, ignored %d, "
	       "variables:",
	       count, waitpid(-1, NULL, __WALL), errno == ECHILD,
	       sigismember(&mask, SIGINT), signal(SIGUSR1, SIG_DFL) == SIG_IGN);
	for (char **variable = environ; *variable; variable++)
		printf(" %s", *variable);
	printf("\n");
	return 0;
}

/* ---- situations of the starter: the program is the first argument ---- */

static void say_alone(void)
{
	printf("another child: %d, errno %d\n", waitpid(-1, NULL, __WALL),
	       errno == ECHILD);
}

static void say_end(pid_t pid)
{
	int status = 0;
	pid_t ended = waitpid(-1, &status, 0);

	printf("the child: %d, status %x\n", ended == pid, (unsigned)status);
	say_alone();
	fflush(stdout);
}

static int spawns(char **arguments)
{
	pid_t pid = 0;
	int rc = posix_spawn(&pid, arguments[0], NULL, NULL, arguments, environ);

	printf("posix_spawn: %d\n", rc);
	say_end(pid);
	rc = posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ);
	printf("posix_spawnp: %d\n", rc);
	say_end(pid);
	return 0;
}

/* Spawns with many attributes and file actions. */
static int spawns_with(char **arguments)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t set;
	pid_t pid = 0;

	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigmask(&attributes, &set);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	posix_spawn_file_actions_addchdir_np(&actions, "/");
	printf("posix_spawn: %d\n", posix_spawn(&pid, arguments[0], &actions, &attributes,
						arguments, environ));
	say_end(pid);
	return 0;
}

static int spawns_in_vain(char **arguments)
{
	static char large[4 << 20];
	char *environment[] = { large, NULL };
	pid_t pid = 0;
	int rc;

	memset(large, 'x', sizeof(large) - 1);
	rc = posix_spawn(&pid, arguments[0], NULL, NULL, arguments, environment);
	printf("too much: %d\n", rc == E2BIG);
	say_alone();
	rc = execve(arguments[0], arguments, environment);
	printf("exec: %d, errno %d\n", rc, errno == E2BIG);
	say_alone();
	burn(.1);
	return 0;
}

static int forks(char **arguments)
{
	pid_t pid = fork();

	if (pid == 0) {
		execv(arguments[0], arguments);
		_exit(127);
	}
	say_end(pid);
	return 0;
}

static int vforks(char **arguments)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv(arguments[0], arguments);
		_exit(127);
	}
	say_end(pid);
	return 0;
}

static int systems(char **arguments)
{
	char line[4096];

	snprintf(line, sizeof(line), "%s %s %s; echo $?", arguments[0], arguments[1],
		 arguments[2] ? arguments[2] : "");
	printf("system: %x\n", (unsigned)system(line));
	say_alone();
	return 0;
}

static void *execute(void *arguments)
{
	execv(((char **)arguments)[0], arguments);
	return NULL;
}

/* Executes in a thread other than the main one. */
static int thread_executes(char **arguments)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute, arguments);
	pthread_join(thread, NULL);
	return 97;
}

/* Ends before its child does. */
static int leaves(char **arguments)
{
	if (fork() == 0) {
		execv(arguments[0], arguments);
		_exit(127);
	}
	usleep(100000);
	return 0;
}

static int has_events(char **arguments)
{
	struct perf_event_attr event = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_TASK_CLOCK,
					 .size = sizeof(event),
					 .sample_period = 1000000,
					 .exclude_kernel = 1 };

	return syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) < 0;
}

/* Runs with the kernel's events refused. */
static int without_events(char **arguments)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 98;
	execvp(arguments[0], arguments);
	return 97;
}

int main(int argc, char **argv)
{
	static const struct situation situations[] = {
		{ "shares", shares },
		{ "threads", threads },
		{ "calls", calls },
		{ "makes", makes },
		{ "stays", stays },
		{ "looks", looks },
		{ "spawns", spawns },
		{ "spawns_with", spawns_with },
		{ "spawns_in_vain", spawns_in_vain },
		{ "forks", forks },
		{ "vforks", vforks },
		{ "systems", systems },
		{ "thread_executes", thread_executes },
		{ "leaves", leaves },
		{ "has_events", has_events },
		{ "without_events", without_events },
		{ NULL, NULL },
	};

	used_at_first = used_seconds();
	return run_situation(situations, argc, argv);
}
