/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording of threads that exist when a recording begins; see threads/existing.h. A
 * timer interrupts each when it next uses the processor, so that threads that sleep go on
 * sleeping.
 */
#ifndef COLLECTOR_SOURCES_ADOPT_H
#define COLLECTOR_SOURCES_ADOPT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct thread;
struct unwind_frame;

/* Note what the calling thread blocked, and where it was, before it was made to start the
 * recording. pc == 0: that is unknown. */
void adopt_note_caller(uint64_t mask, const struct unwind_frame *frame);
/* Find all threads but the calling one, and that one too if it was in a handler of the
 * program's: it has no record then until the handler returns. Call before the recording
 * begins. */
void adopt_find(void);
/* Have such a caller interrupted a little later. Call at the end of what it is made to
 * do. */
void adopt_wait_for_caller(void);
/* Have their timers interrupt them. Call when it has begun: a timer does so only once. */
void adopt_begin(void);
/* Do both for threads that have begun since. Call when all starts of threads are seen. */
void adopt_begin_new(void);
/* Expect no more threads. */
void adopt_end(void);
/* Interrupt some threads for the last time: those to which a signal of an event may still
 * come, and those that block signals in the program's view only, which the kernel blocks
 * from now on. Call when all events and timers are closed, and the handler is still
 * there. Returns false if a thread has not taken its signal in a second. */
bool adopt_dismiss(void);
/* Call in the handler. */
bool adopt_is_last_signal(const siginfo_t *info, ucontext_t *context);

/* Returns true for a signal of the timer that interrupts a thread for this. */
bool adopt_is_signal(const siginfo_t *info);
/* Call in a handler, and in a traced call, of a thread that has no record of the present
 * recording: it is recorded from now on. Returns its record; NULL: there is none. */
struct thread *adopt_in_handler(ucontext_t *context);
struct thread *adopt_in_call(void);

#endif
