/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is said on another host while we wait for it: a thread prints it, line by line and
 * with the host's name, and ends the waiting when the user interrupts. Of very much it
 * prints the beginning and the end.
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
	int messages, speaker; /* a pipe: the speaker is for the other side */
	int end[2];	       /* a pipe: closing the second end ends the thread */
	pthread_t thread;
	bool is_running;
};

/* Make the pipe; CLI_OK, or CLI_FAILED after a message. Released in any case. */
int listener_init(struct listener *listener);
/* The speaker was handed on, and remote is started. All but the listener lasts longer
 * than it. */
int listener_start(struct listener *listener, const char *host, struct remote *remote,
		   const volatile int *stop);
/* Print what is there still, and be done. */
void listener_release(struct listener *listener);

/* Between these the signals that interrupt are the listener's. */
void listener_block_signals(sigset_t *before);
void listener_restore_signals(const sigset_t *before);

#endif
