/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that exist when a recording begins, because the library was loaded later than
 * they began, or because another recording has ended. Each takes its record itself, as
 * soon as it meets the collector: in a signal, or in a traced call.
 */
#ifndef COLLECTOR_THREADS_EXISTING_H
#define COLLECTOR_THREADS_EXISTING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct thread;

/* Returns false if the thread sleeps. One that waits for the disk may be storing into a
 * file. */
bool existing_runs(pid_t tid);
/* Call when the recording has ended: wait until no thread writes what it began to write
 * before. Threads that sleep in a traced call write nothing when they return. */
void existing_settle(void);
/* Have a record wait for the thread, which has used that much CPU time so far. NULL: out
 * of memory. */
struct thread *existing_await(pid_t tid, uint64_t used_ns);
/* Returns the record of the calling thread from now on: the one that waits, or another.
 * past_ns is the CPU time that the thread has used since existing_await(). Call with
 * signals blocked. NULL: out of memory. */
struct thread *existing_take(void);

#endif
