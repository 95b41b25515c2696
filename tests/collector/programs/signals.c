/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: those that the collector shares with the program, and those it must not
 * disturb. */

#include "noted.h"
#include "situation.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* SIGPROF, or the signal given after the situation. */
static int tested = SIGPROF;

static int raised(char **arguments)
{
	set(tested, 0);
	raise(tested);
	raise(tested);
	burn(.1);
	printf("count %d code %d signal %d\n", count, code, signal_number);
	return 0;
}

/* The time that a thread is still owed when a signal kills it is lost, and on a busy
 * machine the system's tick may miss 50 ms of its CPU time. So programs that die work
 * longer than must be seen. */
#define DEADLY .3

static sigjmp_buf before_handler;

static void leave(int signal)
{
	count++;
	siglongjmp(before_handler, 1);
}

/* A handler left by a jump that keeps its mask: the program unblocks the signal itself. */
static int left_by_jump(char **arguments)
{
	struct sigaction action = { .sa_handler = leave };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, tested);
	sigaction(tested, &action, NULL);
	for (int i = 0; i < 3; i++)
		if (sigsetjmp(before_handler, 0) == 0)
			raise(tested);
		else
			sigprocmask(SIG_UNBLOCK, &set, NULL);
	burn(.05);
	printf("count %d\n", count);
	return 0;
}

static int default_action(char **arguments)
{
	burn(DEADLY);
	puts("before");
	fflush(stdout);
	raise(tested);
	puts("never");
	return 0;
}

static int ignored(char **arguments)
{
	signal(tested, SIG_IGN);
	raise(tested);
	burn(.1);
	puts(signal(tested, SIG_DFL) == SIG_IGN ? "was ignored" : "was not ignored");
	return 0;
}

static int reset_after_one(char **arguments)
{
	struct sigaction now;

	set(tested, (int)SA_RESETHAND);
	raise(tested);
	sigaction(tested, NULL, &now);
	puts(now.sa_handler == SIG_DFL ? "default again" : "still set");
	printf("count %d\n", count);
	return 0;
}

static int blocked(char **arguments)
{
	sigset_t block, old, waiting;

	set(tested, 0);
	sigemptyset(&block);
	sigaddset(&block, tested);
	sigprocmask(SIG_BLOCK, &block, NULL);
	raise(tested);
	burn(.1);
	sigpending(&waiting);
	printf("count %d pending %d\n", count, sigismember(&waiting, tested));
	sigprocmask(SIG_UNBLOCK, &block, &old);
	printf("count %d was blocked %d\n", count, sigismember(&old, tested));
	sigprocmask(SIG_BLOCK, NULL, &old);
	printf("is blocked %d\n", sigismember(&old, tested));
	return 0;
}

/* A pending signal is still pending in the next image, but not in a child. */
static int waits_over_exec(char **arguments)
{
	char number[12];
	sigset_t block, waiting;
	int status;

	sigemptyset(&block);
	sigaddset(&block, tested);
	sigprocmask(SIG_BLOCK, &block, NULL);
	raise(tested);
	burn(.05);
	if (fork() == 0) {
		sigpending(&waiting);
		_exit(sigismember(&waiting, tested));
	}
	wait(&status);
	printf("the child's %d\n", WEXITSTATUS(status));
	fflush(stdout);
	snprintf(number, sizeof(number), "%d", tested);
	execl("/proc/self/exe", "signals", "after_exec", number, (char *)NULL);
	return 1;
}

static int after_exec(char **arguments)
{
	sigset_t block, waiting;

	burn(.05);
	sigpending(&waiting);
	set(tested, 0);
	printf("pending %d count %d\n", sigismember(&waiting, tested), count);
	sigemptyset(&block);
	sigaddset(&block, tested);
	sigprocmask(SIG_UNBLOCK, &block, NULL);
	printf("count %d\n", count);
	return 0;
}

static int all_blocked(char **arguments)
{
	sigset_t all, now;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	burn(.2);
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	printf("blocked %d %d\n", sigismember(&now, tested), sigismember(&now, SIGUSR1));
	return 0;
}

static int waited_for(char **arguments)
{
	sigset_t set;
	siginfo_t info;
	int got = 0;

	sigemptyset(&set);
	sigaddset(&set, tested);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	burn(.05);
	raise(SIGUSR1);
	sigwait(&set, &got);
	printf("got %d\n", got);
	raise(tested);
	printf("info %d", sigwaitinfo(&set, &info));
	printf(" %d\n", info.si_signo);
	printf("nothing %d\n",
	       sigtimedwait(&set, &info, &(struct timespec){ 0, 20000000 }) < 0 &&
		       errno == EAGAIN);
	return 0;
}

/* The signal arrives as bytes of a file; no other one does. */
static int read_as_file(char **arguments)
{
	struct signalfd_siginfo info;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK);
	burn(.05);
	printf("nothing yet %d", read(fd, &info, sizeof(info)) < 0 && errno == EAGAIN);
	raise(SIGUSR1);
	burn(.02);
	printf(" read %d", (int)read(fd, &info, sizeof(info)));
	printf(" signal %d\n", (int)info.ssi_signo);
	return 0;
}

static void *read_in_thread(void *file)
{
	struct signalfd_siginfo info = { 0 };

	burn(.05);
	printf("thread: poll %d",
	       poll(&(struct pollfd){ *(int *)file, POLLIN, 0 }, 1, 3000));
	printf(" read %d", (int)read(*(int *)file, &info, sizeof(info)));
	printf(" signal %d code %d\n", (int)info.ssi_signo, (int)info.ssi_code);
	return NULL;
}

/* SIGPROF as the program's own signal, read by one thread and by another. One raised
 * before the file exists is found, too. */
static int own_read_as_file(char **arguments)
{
	struct signalfd_siginfo info;
	pthread_t thread;
	sigset_t block, old;
	int fd;

	sigemptyset(&block);
	sigaddset(&block, SIGPROF);
	sigprocmask(SIG_BLOCK, &block, NULL);
	raise(SIGPROF);
	fd = signalfd(-1, &block, SFD_NONBLOCK);
	for (int i = 0; i < 2; i++) {
		printf("poll %d", poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, 3000));
		sigpending(&old);
		printf(" pending %d", sigismember(&old, SIGPROF));
		printf(" read %d", (int)read(fd, &info, sizeof(info)));
		printf(" signal %d code %d", (int)info.ssi_signo, (int)info.ssi_code);
		burn(.05);
		printf(" again %d\n",
		       read(fd, &info, sizeof(info)) < 0 && errno == EAGAIN);
		raise(SIGPROF);
	}
	printf("read %d\n", (int)read(fd, &info, sizeof(info)));
	pthread_create(&thread, NULL, read_in_thread, &fd);
	burn(.01);
	kill(getpid(), SIGPROF);
	pthread_join(thread, NULL);
	set(SIGPROF, 0);
	sigprocmask(SIG_BLOCK, NULL, &old);
	printf("blocked %d", sigismember(&old, SIGPROF));
	sigprocmask(SIG_UNBLOCK, &block, NULL);
	raise(SIGPROF);
	printf(" handled %d\n", count);
	burn(.05);
	return 0;
}

static void other(int signal)
{
}

static int views(char **arguments)
{
	struct sigaction action = { .sa_handler = other,
				    .sa_flags = SA_RESTART | SA_NODEFER },
			 now;

	for (const int *which = (const int[]){ SIGPROF, SIGSEGV, SIGBUS, SIGUSR1, 0 };
	     *which; which++) {
		sigaction(*which, NULL, &now);
		printf("%d: default %d flags %x\n", *which, now.sa_handler == SIG_DFL,
		       (unsigned)now.sa_flags);
		sigemptyset(&action.sa_mask);
		sigaddset(&action.sa_mask, SIGPROF);
		sigaddset(&action.sa_mask, SIGINT);
		sigaction(*which, &action, NULL);
		sigaction(*which, NULL, &now);
		printf("%d: own %d flags %x mask %d %d %d\n", *which,
		       now.sa_handler == other, (unsigned)now.sa_flags,
		       sigismember(&now.sa_mask, SIGPROF),
		       sigismember(&now.sa_mask, SIGINT),
		       sigismember(&now.sa_mask, SIGHUP));
		printf("%d: signal %d\n", *which, signal(*which, SIG_IGN) == other);
		sigaction(*which, NULL, &now);
		printf("%d: ignored %d flags %x\n", *which, now.sa_handler == SIG_IGN,
		       (unsigned)now.sa_flags);
	}
	return 0;
}

static int fault(char **arguments)
{
	burn(DEADLY);
	puts("before");
	fflush(stdout);
	*(volatile int *)8 = 1;
	return 0;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	char text[64];

	snprintf(text, sizeof(text), "fault %d at %p code %d\n", signal, info->si_addr,
		 info->si_code);
	if (write(1, text, strlen(text)) > 0)
		_exit(4);
}

static int own_fault_handler(char **arguments)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	burn(.05);
	*(volatile int *)8 = 1;
	return 0;
}

static int sent_fault(char **arguments)
{
	burn(DEADLY);
	kill(getpid(), SIGSEGV);
	pause();
	return 0;
}

static int aborts(char **arguments)
{
	burn(DEADLY);
	abort();
}

/* A trap instruction's signal cannot be ignored or blocked. */
static int traps(char **arguments)
{
	static const int how[] = { -1, 0, 1, 2 };
	sigset_t all;

	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			sigfillset(&all);
			if (how[i] == 1)
				signal(SIGTRAP, SIG_IGN);
			if (how[i] != 1 && how[i] >= 0)
				set(SIGTRAP, 0);
			if (how[i] == 2)
				sigprocmask(SIG_BLOCK, &all, NULL);
			burn(.01);
			__asm__ volatile("int3");
			_exit(count == 1 && code > 0 ? 7 : 8);
		}
		waitpid(pid, &status, 0);
		printf("%d: signal %d exit %d\n", how[i], WTERMSIG(status),
		       WEXITSTATUS(status));
	}
	return 0;
}

static void on_child(int signal)
{
	static const char text[] = "a child has ended\n";

	if (write(1, text, sizeof(text) - 1) < 0)
		_exit(1);
}

/* The program has no child; the helper started at its end does not count. */
static int no_child(char **arguments)
{
	signal(SIGCHLD, on_child);
	burn(.02);
	return 0;
}

static const struct situation situations[] = {
	{ "raised", raised },
	{ "left_by_jump", left_by_jump },
	{ "default_action", default_action },
	{ "ignored", ignored },
	{ "reset_after_one", reset_after_one },
	{ "blocked", blocked },
	{ "waits_over_exec", waits_over_exec },
	{ "after_exec", after_exec },
	{ "all_blocked", all_blocked },
	{ "waited_for", waited_for },
	{ "read_as_file", read_as_file },
	{ "own_read_as_file", own_read_as_file },
	{ "views", views },
	{ "fault", fault },
	{ "own_fault_handler", own_fault_handler },
	{ "sent_fault", sent_fault },
	{ "aborts", aborts },
	{ "traps", traps },
	{ "no_child", no_child },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	if (argc > 2)
		tested = atoi(argv[2]);
	return run_situation(situations, argc, argv);
}
