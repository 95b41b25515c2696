/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pauses of the recording and samples, as the program or a signal requests. All functions
 * may be called in a handler.
 */
#ifndef COLLECTOR_RECORDING_CONTROL_H
#define COLLECTOR_RECORDING_CONTROL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct thread;

/* Call once in the image: listen to the signals of -l and -y. */
void control_open(void);
/* Call at the start of each recording, including that of a child of fork. */
void control_start(void);

/* Call before an exec: settle the time owed to threads up to now. */
void control_settle(void);
/* Take a sample, unless another one is being written. */
void control_sample(const char *label);
/* The cause is one of those in format.h. No effect if recording is already paused or
 * resumed. */
void control_pause(const char *cause);
void control_resume(void);
void control_pause_thread(struct thread *thread);
void control_resume_thread(struct thread *thread);

/* Act on a signal of -l or -y. Returns false if it is another one, or the process sent it
 * to itself. */
bool control_take_signal(int signal, const siginfo_t *info);

#endif
