/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time that threads were ready to run and waited for a processor, as the scheduler
 * counts it: a wait counts when it ends. Where the kernel does not tell, it is 0.
 */
#ifndef COLLECTOR_THREADS_WAIT_CPU_H
#define COLLECTOR_THREADS_WAIT_CPU_H

#include <stdint.h>

#include "collector/threads/thread.h"

/* Ask the kernel about the thread that uses a record. Returns 1, 0 if none does, or a
 * negative errno; what was known remains then. Call with signals blocked, between
 * access_begin_open() and access_end_open(); one thread at a time. */
long wait_cpu_read(struct thread *thread);
/* Returns the time of all threads that have used the record, as far as it is known. */
uint64_t wait_cpu_of(const struct thread *thread);
/* Call in a thread that ends, after its life has turned. */
void wait_cpu_end(struct thread *thread);
/* Call in the child of fork. */
void wait_cpu_after_fork(struct thread *thread);

#endif
