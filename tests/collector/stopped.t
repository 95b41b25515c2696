#!/bin/sh
# Sleeps that a stop and a continuation interrupt: the kernel goes on with them, with a tick of the clock as well. A call
# that waits for a handler of the program ends with it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >naps.c <<'END'
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int handled, ended;

static void compute(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
}

/* A child that stops this process, over and over. */
static pid_t start_stops(void)
{
	pid_t parent = getpid(), child = fork();

	if (child != 0)
		return child;
	while (getppid() == parent) {
		usleep(300);
		kill(parent, SIGSTOP);
		usleep(100);
		kill(parent, SIGCONT);
	}
	_exit(0);
}

static void nap(void)
{
	struct timespec time = { 0, 1000000 };

	if (nanosleep(&time, NULL) < 0 && errno == EINTR)
		ended++;
	if (poll(NULL, 0, 1) < 0 && errno == EINTR)
		ended++;
}

static void handle(int signal)
{
	handled++;
}

/* The handler blocks the clock's signal, which is then due when it returns. */
static void wait_for_handler(int flags)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = flags };
	struct itimerval timer = { { 0, 0 }, { 0, 1500 } };

	sigfillset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	pause();
}

int main(int argc, char *argv[])
{
	int rounds = atoi(argv[2]);
	pid_t child;

	if (strcmp(argv[1], "pause") == 0) {
		for (int i = 0; i < rounds; i++) {
			wait_for_handler(i % 2 ? (int)SA_RESETHAND : 0);
			compute();
		}
		printf("%d\n", handled);
		return 0;
	}
	child = start_stops();
	for (int i = 0; i < rounds; i++) {
		nap();
		compute();
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	printf("%d\n", ended);
	return 0;
}
END
cc -D_GNU_SOURCE -O1 -o naps naps.c

is "$(./naps naps 500)" 0 'alone sleeps go on after a stop'
is "$(timeout -k 5 300 collect -A off -F off -p hi -o naps.er ./naps naps 3000 2>err)" 0 'recorded ones go on, too'
is "$(timeout -k 5 300 collect -A off -p hi -o pause.er ./naps pause 3000 2>err)" 3000 'each wait for a handler ends'
done_testing
