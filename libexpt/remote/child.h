/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts a program with a socket as its standard input, so that writes can time out, and
 * a pipe as its standard output. No shell is involved; the program is found in PATH as by
 * execvp(3).
 */
#ifndef LIBEXPT_REMOTE_CHILD_H
#define LIBEXPT_REMOTE_CHILD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
	/* of pid: once reaped, the number may be another process's */
	pthread_mutex_t lock;
	pid_t pid;   /* 0: not running */
	int in, out; /* the caller's ends: to its input, from its output; or -1 */
};

#define CHILD_FOR_EVER 0

/* Start a program. messages: a descriptor that becomes its standard error; -1: it
 * inherits the caller's. -ENOENT: no such program. Only after success may child_release()
 * be called. */
int child_start(struct child *child, char *const words[], int messages);
/* Close its input: the program reads the end. */
void child_close_input(struct child *child);
/* Close its output: the next write ends the program. */
void child_close_output(struct child *child);
/* Limit the seconds that a single write to in may wait; after that it fails with -EAGAIN.
 */
void child_limit_writing(struct child *child, unsigned seconds);
/* Wait until it has ended; status is as in wait(2). Negative on error. -ETIMEDOUT: it had
 * not ended after so many seconds, and was terminated. */
int child_wait(struct child *child, int *status, unsigned seconds);
/* Ask it to end, from any thread; no effect if it has ended. */
void child_stop(struct child *child);
/* Close both ends and end the program, by SIGKILL if necessary. */
void child_release(struct child *child);

/* Between the two calls, a write to a closed pipe fails with EPIPE and raises no signal,
 * in this thread and in those that it starts. */
struct child_writing {
	sigset_t before;
	bool was_pending;
};
void child_begin_writing(struct child_writing *writing);
void child_end_writing(const struct child_writing *writing);

#endif
