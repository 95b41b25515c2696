/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performs its arguments one after the other, with SIGUSR1, and prints what it notices of
 * the signal. "line" waits for a line on standard input, so that the sender of signals
 * knows that earlier ones have arrived.
 */

#include "situation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBER SIGUSR1

static volatile sig_atomic_t count, code;

__attribute__((noinline)) static void wanted(void)
{
	burn(.05);
	__asm__ volatile("");
}

__attribute__((noinline)) static void unwanted(void)
{
	burn(.05);
	__asm__ volatile("");
}

static void handle(int signal, siginfo_t *info, void *context)
{
	__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
	code = info->si_code;
}

static void install(int flags)
{
	struct sigaction action = { .sa_sigaction = handle,
				    .sa_flags = SA_SIGINFO | flags };

	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(NUMBER, &action, NULL);
}

static void own(void)
{
	install(0);
}

static void own_restarting(void)
{
	install(SA_RESTART);
}

static void own_once(void)
{
	install((int)SA_RESETHAND);
}

static void defaults(void)
{
	signal(NUMBER, SIG_DFL);
}

static void ignore(void)
{
	signal(NUMBER, SIG_IGN);
}

static void view(void)
{
	struct sigaction now;
	sigset_t set;

	sigaction(NUMBER, NULL, &now);
	printf("handler %s flags %x mask %d %d\n",
	       now.sa_handler == SIG_DFL    ? "default"
	       : now.sa_handler == SIG_IGN  ? "ignored"
	       : now.sa_sigaction == handle ? "own"
					    : "another",
	       (unsigned)now.sa_flags, sigismember(&now.sa_mask, SIGUSR2),
	       sigismember(&now.sa_mask, SIGINT));
	sigprocmask(SIG_SETMASK, NULL, &set);
	printf("blocked %d", sigismember(&set, NUMBER));
	sigpending(&set);
	printf(" pending %d\n", sigismember(&set, NUMBER));
}

static void counted(void)
{
	printf("count %d code %d\n", count, code);
}

static void raise_it(void)
{
	raise(NUMBER);
}

static void kill_self(void)
{
	kill(getpid(), NUMBER);
}

static void queue(void)
{
	sigqueue(getpid(), NUMBER, (union sigval){ .sival_int = 1 });
}

static void mask(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, NUMBER);
	sigprocmask(how, &set, NULL);
}

static void block(void)
{
	mask(SIG_BLOCK);
}

static void unblock(void)
{
	mask(SIG_UNBLOCK);
}

/* Takes a pending signal. The limit is long, so that only a signal ends the wait. */
static void wait_for(void)
{
	sigset_t set;
	siginfo_t info;
	int got;

	sigemptyset(&set);
	sigaddset(&set, NUMBER);
	puts("waiting");
	got = sigtimedwait(&set, &info, &(struct timespec){ 60, 0 });
	printf("got %d code %d\n", got, got > 0 ? info.si_code : 0);
}

static void wait_no_time(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, NUMBER);
	printf("nothing %d\n", sigtimedwait(&set, NULL, &(struct timespec){ 0, 0 }) < 0 &&
				       errno == EAGAIN);
}

static void read_signalfd(void)
{
	struct signalfd_siginfo info;
	sigset_t set;
	ssize_t size;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, NUMBER);
	fd = signalfd(-1, &set, 0);
	raise(NUMBER);
	size = read(fd, &info, sizeof(info));
	printf("read %d signal %u\n", size == sizeof(info), info.ssi_signo);
	close(fd);
}

/* Waits until a handler of the program has run. */
static void suspend(void)
{
	sigset_t set;

	sigemptyset(&set);
	puts("waiting");
	sigsuspend(&set);
	counted();
}

static void line(void)
{
	char byte;
	ssize_t n;

	puts("ready");
	do
		n = read(0, &byte, 1);
	while (n > 0 && byte != '\n');
	if (n < 0)
		printf("read: %s\n", strerror(errno));
}

/* A thread that sends the signal to another one until it is told to stop */
static volatile int is_told;

static void *disturb(void *other)
{
	for (int i = 0; !is_told; i++) {
		usleep(2000);
		pthread_kill(*(pthread_t *)other, NUMBER);
	}
	return NULL;
}

/* Shows how a call ends when a handler of the program interrupts it. If none does, the
 * end of the child ends it. */
static void interrupted_read(void)
{
	pthread_t self = pthread_self(), disturber;
	int ends[2];
	char byte;
	pid_t pid;
	ssize_t n;

	if (pipe(ends) < 0)
		return;
	pid = fork();
	if (pid == 0) {
		usleep(200000);
		_exit(0);
	}
	close(ends[1]);
	pthread_create(&disturber, NULL, disturb, &self);
	n = read(ends[0], &byte, 1);
	printf("read %zd %s\n", n, n < 0 ? strerror(errno) : "");
	is_told = 1;
	pthread_join(disturber, NULL);
	waitpid(pid, NULL, 0);
	close(ends[0]);
	is_told = 0;
}

/* Like line, but in a call that SA_RESTART does not restart. */
static void polled_line(void)
{
	struct pollfd fd = { 0, POLLIN, 0 };
	int n;

	puts("ready");
	n = poll(&fd, 1, -1);
	printf("poll %d\n", n);
	for (char byte = 0; byte != '\n' && read(0, &byte, 1) > 0;)
		;
}

/* The same call, but its number cannot be read from the code. */
static void polled_unseen(void)
{
	static volatile long number = SYS_poll;
	struct pollfd fd = { 0, POLLIN, 0 };
	long n;

	puts("ready");
	__asm__ volatile("mov %1, %%rax\n"
			 "syscall\n"
			 : "=&a"(n)
			 : "m"(number), "D"(&fd), "S"(1L), "d"(-1L)
			 : "rcx", "r11", "memory");
	printf("poll %ld\n", n);
	for (char byte = 0; byte != '\n' && read(0, &byte, 1) > 0;)
		;
}

static void child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		printf("child %d\n", (int)getpid());
		line();
		wanted();
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void spawn(void)
{
	printf("system %d\n", system("kill -0 $$; exit 3") >> 8);
}

static void *in_thread(void *unused)
{
	wanted();
	return NULL;
}

static void thread(void)
{
	pthread_t id;

	pthread_create(&id, NULL, in_thread, NULL);
	pthread_join(id, NULL);
}

/* A thread that sends the signal to itself while others may send it to the process */
static void *kill_often(void *unused)
{
	for (int i = 0; i < 100; i++) {
		burn(.002);
		pthread_kill(pthread_self(), NUMBER);
	}
	return NULL;
}

static void storm(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, kill_often, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} words[] = {
	{ "wanted", wanted },
	{ "unwanted", unwanted },
	{ "own", own },
	{ "own_once", own_once },
	{ "own_restarting", own_restarting },
	{ "defaults", defaults },
	{ "ignore", ignore },
	{ "view", view },
	{ "counted", counted },
	{ "raise", raise_it },
	{ "kill_self", kill_self },
	{ "queue", queue },
	{ "block", block },
	{ "unblock", unblock },
	{ "wait_for", wait_for },
	{ "wait_no_time", wait_no_time },
	{ "signalfd", read_signalfd },
	{ "interrupted_read", interrupted_read },
	{ "suspend", suspend },
	{ "line", line },
	{ "polled_line", polled_line },
	{ "polled_unseen", polled_unseen },
	{ "child", child },
	{ "spawn", spawn },
	{ "thread", thread },
	{ "storm", storm },
};

int main(int argc, char *argv[])
{
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int i = 1; i < argc; i++)
		for (size_t j = 0; j < sizeof(words) / sizeof(words[0]); j++)
			if (strcmp(argv[i], words[j].name) == 0)
				words[j].run();
	return 0;
}
