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
#include <ucontext.h>

struct thread;

/* Find all threads but the calling one. */
void adopt_begin(void);
/* Expect no more threads. */
void adopt_end(void);
/* After the end: a thread that believes to block signals of events, which the kernel does
 * not block, is interrupted, so that the kernel blocks them again. Its handler calls the
 * second function, which returns true for such a signal. */
void adopt_give_masks_back(void);
bool adopt_take_mask_back(const siginfo_t *info, ucontext_t *context);

/* Returns true for a signal of the timer that interrupts a thread for this. */
bool adopt_is_signal(const siginfo_t *info);
/* Call in a handler, and in a traced call, of a thread that has no record of the present
 * recording: it is recorded from now on. Returns its record; NULL: there is none. */
struct thread *adopt_in_handler(ucontext_t *context);
struct thread *adopt_in_call(void);

#endif
