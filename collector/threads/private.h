/* SPDX-License-Identifier: Apache-2.0 */
/* Records of threads, for the files of this folder. */
#ifndef COLLECTOR_THREADS_PRIVATE_H
#define COLLECTOR_THREADS_PRIVATE_H

#include <stddef.h>

#include "collector/unwind/unwind.h"

struct thread;

/* Returns a record that no thread uses; NULL: out of memory. */
struct thread *thread_get(void);
void thread_put_back(struct thread *thread);
/* The thread lives from when it is created, and may have to wait for a processor first.
 */
void thread_begin_life(struct thread *thread);
/* Start to use a record for the calling thread. */
void thread_attach(struct thread *thread);
/* Have the end of the calling thread noticed. */
void thread_expect_end(struct thread *thread);
/* Returns the stack of the calling thread, unless the program has given it another one.
 */
struct unwind_bounds thread_own_stack(void);
/* Put back a record that its thread uses no more. */
void thread_let_go(struct thread *thread);
/* The size of the stacks of threads that are created without one. */
size_t thread_default_size(void);

#endif
