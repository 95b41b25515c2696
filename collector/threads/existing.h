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
/* Returns true if no thread is in a handler or in a traced call, even asleep. */
bool existing_are_outside(void);
/* Have a record wait for the thread, which has used that much CPU time so far. NULL: out
 * of memory. */
struct thread *existing_await(pid_t tid, uint64_t used_ns);
/* Have the record of the calling thread wait for it. */
void existing_await_self(void);
/* Returns the record that waits for the calling thread, or NULL. */
struct thread *existing_awaited(void);
/* Do the same as existing_await() for threads that have begun meanwhile: list those that
 * have a record, and make records for others. Each then waits, unless the thread has
 * another by then. NULL: it is on the list, or out of memory. */
unsigned char *existing_list(void);
void existing_return_list(unsigned char *tids);
struct thread *existing_prepare(const unsigned char *tids, pid_t tid);
void existing_expect(struct thread *thread);
/* Call in a thread that has made a record for itself: none waits for it any more. */
void existing_drop_awaited(void);
/* Returns the record of the calling thread from now on: the one that waits, or another.
 * past_ns is the CPU time that the thread has used since existing_await(). Call with
 * signals blocked. NULL: out of memory. */
struct thread *existing_take(void);

#endif
