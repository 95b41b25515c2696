/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector clocks: whether one moment of a thread is known to be before one of another,
 * because a thread was created or joined, or something was handed over by a semaphore, a
 * condition variable or a barrier. Mutexes order nothing: it is chance which thread comes
 * first.
 *
 * A moment is a number in a slot of the thread. Threads have a slot, and clocks have
 * content, only once a thread has requested a lock while it held another. All functions
 * are called with the guard.
 */
#ifndef COLLECTOR_DEADLOCK_CLOCK_H
#define COLLECTOR_DEADLOCK_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct party;

#define SLOT_NONE UINT32_MAX

/* What a thread knows at a moment: of each slot, the last number before it. */
struct clock {
	uint32_t uses, size;
	uint32_t at[];
};

struct moment {
	uint32_t slot, number;
	struct clock *clock; /* counted in its uses */
};

/* Returns the present moment of the party. False: there are too many threads. */
bool clock_mark(struct party *party, struct moment *moment);
void clock_drop(struct clock *clock);
/* Is the first moment before the other one? */
bool clock_is_before(const struct moment *moment, const struct moment *later);

/* What happens from now on is not before what another thread does that gets the result,
 * which is counted in its uses; NULL: nothing happened. */
struct clock *clock_release(struct party *party);
/* What happened up to then is before what the party does from now on. */
void clock_acquire(struct party *party, const struct clock *clock);
/* The same two, by way of an object of the program. */
void clock_release_to(struct party *party, uintptr_t object);
void clock_acquire_from(struct party *party, uintptr_t object);

/*
 * A thread that finds that what it would wait for has already happened does not wait for
 * the condition variable: it only obtains the mutex that belongs to it, its gate. It is
 * taken to go on after the threads that have signalled, unless it does so itself, as the
 * threads on both sides of a queue do.
 */
void clock_release_to_gate(struct party *party, uintptr_t mutex);
void clock_acquire_from_gate(struct party *party, uintptr_t mutex);
/* Is the mutex no gate, as far as a look tells? May be called without the guard. */
extern _Atomic uint64_t clock_gates[] __attribute__((visibility("hidden")));
#define CLOCK_GATE_BITS 10

static inline bool clock_is_no_gate(uintptr_t mutex)
{
	uintptr_t bit = mutex >> 3 & ((1 << CLOCK_GATE_BITS) - 1);

	return (atomic_load_explicit(&clock_gates[bit / 64], memory_order_relaxed) >>
			(bit % 64) &
		1) == 0;
}
/* The object is no more. */
void clock_forget_object(uintptr_t object);
/* Is there anything to release or acquire? May be called without the guard. */
bool clock_is_used(void);

/* The thread ends; its clock is kept for a thread that joins it. */
void clock_end(struct party *party);
/* No thread will. */
void clock_forget(struct party *party);
/* Call in the child of fork. */
void clock_after_fork(void);

#endif
