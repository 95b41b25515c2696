/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors, limits and privileges. */

#include "situation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int lowest(char **arguments)
{
	burn(.05);
	for (int i = 0; i < 3; i++)
		printf("open gives %d\n", open("/dev/null", O_RDONLY));
	return 0;
}

static int close_from(char **arguments)
{
	burn(.05);
	closefrom(3);
	burn(.1);
	return 0;
}

static int close_in_range(char **arguments)
{
	burn(.05);
	printf("close_range %d\n", close_range(3, ~0U, 0));
	burn(.1);
	return 0;
}

static int close_each(char **arguments)
{
	int closed = 0;

	burn(.05);
	for (int fd = 3; fd < 65536; fd++)
		closed += close(fd) == 0;
	printf("closed %d\n", closed);
	burn(.1);
	return 0;
}

/* Calls dup2 over every descriptor but the first three. */
static int dup_over(char **arguments)
{
	int failed = 0;

	burn(.05);
	for (int fd = 200; fd < 1100; fd++)
		failed += dup2(1, fd) != fd && errno != EBADF;
	printf("failed %d\n", failed);
	burn(.1);
	return 0;
}

static int limit(int what, rlim_t value)
{
	return setrlimit(what, &(struct rlimit){ value, value });
}

static void *burn_a_little(void *argument)
{
	burn(.05);
	return NULL;
}

static int run_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, burn_a_little, NULL) != 0)
		return puts("no thread");
	return pthread_join(thread, NULL);
}

static int no_file_size(char **arguments)
{
	limit(RLIMIT_FSIZE, 0);
	burn(.1);
	run_thread();
	puts("still here");
	return 0;
}

static int no_descriptors(char **arguments)
{
	limit(RLIMIT_NOFILE, 3);
	burn(.1);
	run_thread();
	printf("open %d\n", open("/dev/null", O_RDONLY) >= 0);
	return 0;
}

/* A child that has only this many descriptors left when its first record is due. */
static int few_descriptors(char **arguments)
{
	int room = atoi(arguments[0]), last = -1, fd;
	pid_t pid = fork();

	if (pid != 0)
		return waitpid(pid, NULL, 0) != pid;
	limit(RLIMIT_NOFILE, 64);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0)
		last = fd;
	while (room-- > 0)
		close(last--);
	burn(.05);
	return 0;
}

static int no_memory(char **arguments)
{
	limit(RLIMIT_AS, 64 << 20);
	burn(.1);
	run_thread();
	return 0;
}

static int new_root(char **arguments)
{
	if (chroot(arguments[0]) < 0 || chdir("/") < 0)
		return 77;
	burn(.1);
	run_thread();
	return 0;
}

static int new_user(char **arguments)
{
	if (setgid(65534) < 0 || setuid(65534) < 0)
		return 77;
	burn(.1);
	run_thread();
	printf("user %d\n", (int)getuid());
	return 0;
}

static int removed(char **arguments)
{
	char command[4096];

	burn(.05);
	/* rm is recorded, too. Its own experiment may appear in the directory while it
	 * works, so that rmdir fails because the directory is not empty. */
	snprintf(command, sizeof(command),
		 "for i in 1 2 3 4 5 6 7 8 9; do rm -rf %s 2>/dev/null && exit; done; "
		 "exit 1",
		 arguments[0]);
	if (arguments[0][0] != '\0' && system(command) != 0)
		return 1;
	burn(.1);
	run_thread();
	puts("still here");
	return 0;
}

/* Truncates the collector's files. */
static int cut(char **arguments)
{
	char name[4096];

	burn(.05);
	snprintf(name, sizeof(name), "%s/profile", arguments[0]);
	if (truncate(name, 0) < 0)
		return 1;
	snprintf(name, sizeof(name), "%s/data.frameinfo", arguments[0]);
	if (truncate(name, 0) < 0)
		return 1;
	burn(.1);
	return 0;
}

static int strict(char **arguments)
{
	static const char text[] = "in the sandbox\n";

	burn(.05);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return 77;
	for (unsigned long i = 0; i < 100000000; i++)
		burnt += i;
	syscall(SYS_write, 1, text, sizeof(text) - 1);
	syscall(SYS_exit, 3);
	return 0;
}

#define ALLOW(number)                                            \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Allows only a few calls from here on, and handlers only if asked to. */
static bool enter_filter(bool has_sigreturn)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		ALLOW(write),
		ALLOW(exit_group),
		ALLOW(clock_gettime),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 has_sigreturn ? SYS_rt_sigreturn : SYS_write, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(steps) / sizeof(steps[0]), steps };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

static int filtered(char **arguments)
{
	const char *extra = arguments[0];

	setvbuf(stdout, malloc(4096), _IOFBF, 4096);
	burn(.05);
	if (!enter_filter(extra && strcmp(extra, "sigreturn") == 0))
		return 77;
	burn(.2);
	printf("filtered\n");
	if (extra && strcmp(extra, "exit") == 0)
		exit(7);
	fflush(stdout);
	_exit(6);
}

/* Two filters. The first forbids little, or almost everything except installing the
 * second, which forbids handlers. */
static int filtered_twice(char **arguments)
{
	struct sock_filter wide[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_filter narrow[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		ALLOW(write),
		ALLOW(exit_group),
		ALLOW(clock_gettime),
		ALLOW(rt_sigreturn),
		ALLOW(prctl),
		ALLOW(seccomp),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(wide) / sizeof(wide[0]), wide };

	if (arguments[0])
		program =
			(struct sock_fprog){ sizeof(narrow) / sizeof(narrow[0]), narrow };
	setvbuf(stdout, malloc(4096), _IOFBF, 4096);
	burn(.05);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 77;
	burn(.1);
	if (!enter_filter(false))
		return 78;
	burn(.1);
	printf("filtered twice\n");
	fflush(stdout);
	_exit(6);
}

static volatile bool is_over;

/* The collector's wrapper blocks all signals for a moment. */
static void *ask_for_action(void *has_signals)
{
	struct sigaction action;
	sigset_t blocked;

	while (!is_over)
		sigaction(SIGPROF, NULL, &action);
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	*(bool *)has_signals = sigisemptyset(&blocked);
	return NULL;
}

/* Installs a filter that forbids little while another thread is at any point of its work.
 * Prints how many children lost their signals. */
static int filtered_beside(char **arguments)
{
	struct sock_filter wide[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { 1, wide };
	int lost = 0;

	for (int i = 0; i < 300; i++) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			bool has_signals = false;
			pthread_t thread;

			pthread_create(&thread, NULL, ask_for_action, &has_signals);
			usleep((useconds_t)(100 + i * 7 % 100));
			prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
			if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
				_exit(77);
			is_over = true;
			pthread_join(thread, NULL);
			_exit(!has_signals);
		}
		waitpid(child, &status, 0);
		lost += status != 0;
	}
	printf("%d\n", lost);
	return 0;
}

/* A sandbox as servers use it for untrusted input: a child that can open no files, and
 * later do nothing else either. */
static int filtered_child(char **arguments)
{
	int status = 0;

	if (fork() == 0) {
		limit(RLIMIT_NOFILE, 0);
		burn(.05);
		if (!enter_filter(false))
			_exit(77);
		burn(.1);
		exit(8);
	}
	wait(&status);
	printf("status %x\n", (unsigned)status);
	return 0;
}

static const struct situation situations[] = {
	{ "lowest", lowest },
	{ "close_from", close_from },
	{ "close_in_range", close_in_range },
	{ "close_each", close_each },
	{ "dup_over", dup_over },
	{ "no_file_size", no_file_size },
	{ "no_descriptors", no_descriptors },
	{ "few_descriptors", few_descriptors },
	{ "no_memory", no_memory },
	{ "new_root", new_root },
	{ "new_user", new_user },
	{ "removed", removed },
	{ "cut", cut },
	{ "strict", strict },
	{ "filtered", filtered },
	{ "filtered_child", filtered_child },
	{ "filtered_twice", filtered_twice },
	{ "filtered_beside", filtered_beside },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
