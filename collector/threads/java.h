/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of a Java machine on the stack of the calling thread. */
#ifndef COLLECTOR_THREADS_JAVA_H
#define COLLECTOR_THREADS_JAVA_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "collector/threads/stack_id.h"
#include "collector/unwind/unwind.h"

/* Walks the methods, of which a machine knows, leaf first. Returns the count, at most
 * limit; 0: there are none; or the negative code of a failure. Runs in a handler. */
typedef int java_walker(struct java_frame *frames, int limit, const ucontext_t *context);
/* From now on ask the first for the stacks that signals interrupt, and the second for
 * those of calls; NULL: no longer. */
void java_set_walkers(java_walker *walker, java_walker *for_calls);
/* The machine has made code there. */
void java_note_code(uintptr_t code, size_t size);

/* Walk the stack that a signal interrupted, and leave the methods in the writer. Returns
 * their number; a failure is one of them, with its code. */
size_t java_walk(struct stack_writer *writer, const ucontext_t *context,
		 const struct unwind_bounds *bounds);
/* The same for a call in normal code. frame: the frame pointer of the function that was
 * called. */
size_t java_walk_above(struct stack_writer *writer, const void *frame);

#endif
