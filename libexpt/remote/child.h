/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that is started with sockets to its standard input, which the kernel need not
 * wait for for ever, and a pipe from its standard output. No shell takes part; the words
 * are found in PATH as execvp(3) does.
 */
#ifndef LIBEXPT_REMOTE_CHILD_H
#define LIBEXPT_REMOTE_CHILD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
	pthread_mutex_t
		lock; /* of pid: it is a number that others may have once it is reaped */
	pid_t pid;    /* 0: not running */
	int in, out;  /* our ends: what it reads, what it writes; or -1 */
};

#define CHILD_FOR_EVER 0

/* messages: a descriptor that becomes its standard error; -1: it keeps ours. -ENOENT:
 * there is no such program. child_release() is right only after success. */
int child_start(struct child *child, char *const words[], int messages);
/* It reads the end of its input. */
void child_close_input(struct child *child);
/* What it writes from now on ends it. */
void child_close_output(struct child *child);
/* How many seconds a single write to in may wait: then it is -EAGAIN. */
void child_limit_writing(struct child *child, unsigned seconds);
/* The status as wait(2) gives it, when it has ended; negative on error. -ETIMEDOUT: it
 * has not after so many seconds, and was ended. */
int child_wait(struct child *child, int *status, unsigned seconds);
/* Ask it to end, from any thread; nothing if it has ended. */
void child_stop(struct child *child);
/* Close our ends, and see it end; what does not is killed. */
void child_release(struct child *child);

/* Between the two a pipe that nobody reads is an error of write(2), in this thread and
 * those it starts, and no signal. */
struct child_writing {
	sigset_t before;
	bool was_pending;
};
void child_begin_writing(struct child_writing *writing);
void child_end_writing(const struct child_writing *writing);

#endif
