/* SPDX-License-Identifier: Apache-2.0 */
/* The program's own timers, and calls that their signals interrupt. */

#include "noted.h"
#include "situation.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

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

/* No call may end early unless it does so without the collector. */
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

/* Each wait ends by its own alarm, which comes at any moment before or during it. */
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

static const struct situation situations[] = {
	{ "own_setitimer", own_setitimer },
	{ "own_timer", own_timer },
	{ "sleeps", sleeps },
	{ "alarmed", alarmed },
	{ "alarms", alarms },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
