/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guards around the collector's work in normal code: locks, and signals blocked until it
 * is done. Two contexts call the collector: normal code, which blocks signals
 * (collector_enter) around everything it does, and handlers, in which all signals are
 * blocked. So a lock that both take can never wait for its own thread.
 */
#ifndef COLLECTOR_PROCESS_GUARD_H
#define COLLECTOR_PROCESS_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The record of this thread (thread.h); NULL before it has one. */
extern __thread struct thread *thread_self __attribute__((visibility("hidden")));

/* Block all signals around work in normal code, and restore them. */
uint64_t collector_enter(void);
void collector_leave(uint64_t mask);
/* Block them again after signals_give_back(). */
void collector_enter_again(void);
/* Call in a child of fork, where the other threads do not exist. mask: the one that
 * collector_enter() returned to the forking thread, or 0. */
void collector_enter_after_fork(uint64_t mask);
/* Returns true if no thread is between enter and leave. */
bool collector_is_outside(void);
/* Leave these signals unblocked in threads that have a record: a store into a file of the
 * experiment may raise SIGBUS, which is absorbed only where it is not blocked. */
void guard_keep_open(uint64_t signals);

/* After a freeze (a sandbox) the collector may not make system calls any more; it can
 * still write what is mapped. The caller of collector_freeze() must not be inside
 * collector_enter(). It waits briefly for threads that are. */
bool collector_is_frozen(void);
void collector_freeze(void);

/* A lock for rare work. Try a bounded number of times, yielding. */
struct spin {
	_Atomic int is_held;
};
bool spin_lock(struct spin *spin);
/* The same for work that must not be skipped: the holder may be waiting for a processor.
 */
bool spin_lock_patiently(struct spin *spin);
void spin_unlock(struct spin *spin);

#endif
