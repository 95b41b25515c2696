/* SPDX-License-Identifier: Apache-2.0 */
/* Record the current call stack of a thread. The functions return its number, or 0 if it
 * could not be written. */
#ifndef COLLECTOR_THREADS_STACKS_H
#define COLLECTOR_THREADS_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/threads/thread.h"

/* Call once, before the first stack. */
void stacks_init(void);
/* Returns true if pc is in this library. */
bool stacks_is_own(uint64_t pc);

/* Leave out the frames of another library of wrappers, if what they called is wrapped
 * again. */
void stacks_leave_out(uintptr_t low, uintptr_t high);

/* Call in the handler of a signal. */
uint64_t stacks_interrupted(struct thread *thread, const ucontext_t *context);
/* Call in normal code of the thread. Frames of this library are left out. */
uint64_t stacks_here(const struct thread *thread, struct stack_writer *writer);
/* The same, faster. frame: the frame pointer of the function that the other library
 * called. */
uint64_t stacks_above(const struct thread *thread, struct stack_writer *writer,
		      const void *frame);

#endif
