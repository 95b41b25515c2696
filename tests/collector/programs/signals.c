/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: those that the collector shares with the program, and what it must not
 * disturb. */

#include "situation.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count, code, value, signal_number;

/* SIGPROF, or the one that is named behind the situation. */
static int tested = SIGPROF;

static void note(int signal, siginfo_t *info, void *context)
{
	count++;
	if (info->si_code == SI_TIMER)
		count += info->si_overrun; /* on a busy machine ticks come late */
	code = info->si_code;
	value = info->si_value.sival_int;
	signal_number = signal;
}

static void set(int signal, int flags)
{
	struct sigaction action = { .sa_sigaction = note,
				    .sa_flags = SA_SIGINFO | flags };

	sigaction(signal, &action, NULL);
}

static void put_if(bool is_right, const char *text)
{
	if (is_right)
		puts(text);
	else
		printf("wrong count: %d\n", (int)count);
}

static int own_setitimer(char **arguments)
{
	struct itimerval every = { { 0, 10000 }, { 0, 10000 } };

	set(SIGPROF, SA_RESTART);
	setitimer(ITIMER_PROF, &every, NULL);
	burn(.3);
	put_if(count >= 3 && count <= 90, "about thirty");
	printf("code %d\n", code);
	return 0;
}

static int own_timer(char **arguments)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGPROF,
				  .sigev_value.sival_int = 1234 };
	struct itimerspec every = { { 0, 20000000 }, { 0, 20000000 } };
	timer_t timer;

	set(SIGPROF, SA_RESTART);
	timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
	timer_settime(timer, 0, &every, NULL);
	burn(.3);
	put_if(count >= 5 && count <= 20, "about fifteen");
	printf("code %d value %d\n", code, value);
	return 0;
}

static int raised(char **arguments)
{
	set(tested, 0);
	raise(tested);
	raise(tested);
	burn(.1);
	printf("count %d code %d signal %d\n", count, code, signal_number);
	return 0;
}

/* What a thread owes when a signal kills it is lost, and on a busy machine the system's
 * tick may miss it for 50 ms of its CPU time: so those that die work longer than must be
 * seen. */
#define DEADLY .3

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

/* One that waits goes on to wait in the next image, and does not in a child. */
static int waits_over_exec(char **arguments)
{
	char number[12];
	sigset_t block, waiting;
	int status;

	sigemptyset(&block);
	sigaddset(&block, tested);
	sigprocmask(SIG_BLOCK, &block, NULL);
	raise(tested);
	burn(.02);
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

	burn(.02);
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

/* A signal comes as bytes of a file, and no other one does. */
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

/* Its own SIGPROF, by one thread and by another; what comes before the file is there is
 * found as well. */
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

/* No call may end early that does not end early without us. */
static int sleeps(char **arguments)
{
	struct timespec moment = { 0, 100000 };
	int interrupted = 0;

	for (int i = 0; i < 300; i++) {
		burn(.0003);
		interrupted += nanosleep(&moment, NULL) < 0;
		interrupted += usleep(50) < 0;
	}
	printf("interrupted %d\n", interrupted);
	return 0;
}

static int alarmed(char **arguments)
{
	struct itimerval once = { { 0, 0 }, { 0, 50000 } };

	set(SIGALRM, 0);
	setitimer(ITIMER_REAL, &once, NULL);
	pause();
	printf("count %d\n", count);
	setitimer(ITIMER_REAL, &once, NULL);
	printf("interrupted %d\n", nanosleep(&(struct timespec){ 1, 0 }, NULL) < 0);
	return 0;
}

/* Each wait ends for its own alarm, which comes at any moment before or in it. */
static int alarms(char **arguments)
{
	struct itimerval soon = { { 0, 0 }, { 0, 300 } };
	struct timespec long_time = { 30, 0 };
	sigset_t blocked, none;
	int ends = 0;

	sigemptyset(&none);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	set(SIGALRM, 0);
	for (int i = 0; i < 1000; i++) {
		burn(1e-6 * (i * 7 % 400));
		setitimer(ITIMER_REAL, &soon, NULL);
		ends += (i % 2 == 0 ? sigsuspend(&none)
				    : ppoll(NULL, 0, &long_time, &none)) < 0;
	}
	printf("alarms %d ends %d\n", count, ends);
	return 0;
}

/* What an instruction traps nobody can ignore or block. */
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

/* It has none; what is started at its end is not its own. */
static int no_child(char **arguments)
{
	signal(SIGCHLD, on_child);
	burn(.02);
	return 0;
}

static const struct situation situations[] = {
	{ "own_setitimer", own_setitimer },
	{ "own_timer", own_timer },
	{ "raised", raised },
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
	{ "sleeps", sleeps },
	{ "alarmed", alarmed },
	{ "alarms", alarms },
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
