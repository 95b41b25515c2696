/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that sleep until a limit of time. Each returns 0 if it slept until then. */
#ifndef TESTS_SLEEPS_H
#define TESTS_SLEEPS_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define SLEEP_MS 5000

/* A pipe into which nothing is written */
static int never[2];

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int in_nanosleep(void)
{
	const struct timespec time = { SLEEP_MS / 1000, SLEEP_MS % 1000 * 1000000 };

	return nanosleep(&time, NULL);
}

static int in_poll(void)
{
	struct pollfd ready_fd = { .fd = never[0], .events = POLLIN };

	return poll(&ready_fd, 1, SLEEP_MS);
}

static int in_select(void)
{
	struct timeval time = { SLEEP_MS / 1000, SLEEP_MS % 1000 * 1000 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(never[0], &set);
	return select(never[0] + 1, &set, NULL, NULL, &time);
}

static int in_epoll(void)
{
	int fd = epoll_create1(EPOLL_CLOEXEC), rc;
	struct epoll_event event = { .events = EPOLLIN };

	epoll_ctl(fd, EPOLL_CTL_ADD, never[0], &event);
	rc = epoll_wait(fd, &event, 1, SLEEP_MS);
	close(fd);
	return rc;
}

static int in_condition(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec time;
	int rc;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += SLEEP_MS % 1000 * 1000000;
	time.tv_sec += SLEEP_MS / 1000 + time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	rc = pthread_cond_timedwait(&condition, &lock, &time);
	pthread_mutex_unlock(&lock);
	return rc == ETIMEDOUT ? 0 : rc;
}

static int in_sigtimedwait(void)
{
	const struct timespec time = { SLEEP_MS / 1000, SLEEP_MS % 1000 * 1000000 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigtimedwait(&set, NULL, &time) < 0 && errno == EAGAIN ? 0 : 1;
}

static const struct {
	const char *name;
	int (*sleep)(void);
} sleeps[] = {
	{ "nanosleep", in_nanosleep }, { "poll", in_poll },
	{ "select", in_select },       { "epoll_wait", in_epoll },
	{ "condition", in_condition }, { "sigtimedwait", in_sigtimedwait },
};
#define SLEEPS (sizeof(sleeps) / sizeof(sleeps[0]))

#endif
