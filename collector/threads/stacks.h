/* SPDX-License-Identifier: Apache-2.0 */
/* The call stack of a thread as it is now, written under its number; 0: it could not be
 * written. */
#ifndef COLLECTOR_STACKS_H
#define COLLECTOR_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/threads/thread.h"

/* Once, before the first stack. */
void stacks_init(void);
/* Is it code of this library? */
bool stacks_is_own(uint64_t pc);

/* In the handler of a signal. */
uint64_t stacks_interrupted(struct thread *thread, const ucontext_t *context);
/* In normal code of the thread, without the frames of this library. */
uint64_t stacks_here(const struct thread *thread, struct stack_writer *writer);
/* The same, quicker: frame is the frame pointer of the function that the other library
 * called. */
uint64_t stacks_above(const struct thread *thread, struct stack_writer *writer,
		      const void *frame);

#endif
