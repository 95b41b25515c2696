/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadlocks that happen. A thread that is about to wait for a lock says so and then looks
 * who holds it, what that thread waits for, and so on: of the threads of a deadlock, the
 * last one to wait comes back to itself. No clock and no thread of ours is needed.
 */
#ifndef COLLECTOR_DEADLOCK_HANG_H
#define COLLECTOR_DEADLOCK_HANG_H

#include <stdbool.h>

struct party;

/* Record the deadlock that the party, which wants a lock, completes, and do what is asked
 * for. may_hang_alone: the thread would wait even if it holds the lock itself. Returns if
 * there is none, or the program is to go on. Call without the guard. */
void hang_check(struct party *party, bool may_hang_alone);

/* Variable for deadlocks_tell() */
extern int hang_action __attribute__((visibility("hidden")));

#endif
