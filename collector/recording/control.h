/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pauses of the recording, by the program or by a signal, and samples that either asks
 * for. All of it may be called in a handler.
 */
#ifndef COLLECTOR_RECORDING_CONTROL_H
#define COLLECTOR_RECORDING_CONTROL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct thread;

/* Once in the image: begin to listen to the signals of -l and -y. */
void control_open(void);
/* At the start of each recording, that of a child of fork, too. */
void control_start(void);

/* Before an exec: what threads are owed for the time up to now. */
void control_settle(void);
/* A sample, unless another one is being written. */
void control_sample(const char *label);
/* The cause is one of those in format.h. Ignored if it is so already. */
void control_pause(const char *cause);
void control_resume(void);
void control_pause_thread(struct thread *thread);
void control_resume_thread(struct thread *thread);

/* Was the signal sent by another process, and is it that of -l or -y? Then it is done. */
bool control_take_signal(int signal, const siginfo_t *info);

#endif
