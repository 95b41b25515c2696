/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the messages of another host while the program waits for it: a thread prints
 * them line by line, after the host's name, and ends the waiting when the user
 * interrupts. It shortens very long output to its beginning and end.
 */
#ifndef LIBEXPT_CLI_LISTENER_H
#define LIBEXPT_CLI_LISTENER_H

#include <pthread.h>
#include <signal.h>

#include "libexpt/remote/remote.h"

struct listener {
	const char *host;
	struct remote *remote;
	const volatile int *stop;
	int messages, speaker; /* a pipe: the other side writes to speaker */
	int end[2];	       /* a pipe: closing end[1] ends the thread */
	pthread_t thread;
	bool is_running;
};

/* Make the pipe. Returns CLI_OK, or CLI_FAILED after a message. Release it in any case.
 */
int listener_init(struct listener *listener);
/* Start the thread, after speaker was passed to remote and remote was started. The
 * arguments must outlive the listener. */
int listener_start(struct listener *listener, const char *host, struct remote *remote,
		   const volatile int *stop);
/* Print the remaining messages, and end the thread. */
void listener_release(struct listener *listener);

/* Between these two, only the listener receives the signals that interrupt. */
void listener_block_signals(sigset_t *before);
void listener_restore_signals(const sigset_t *before);

#endif
